import { execFile } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BAD_FIELDS } from './testing/bad-fields.ts'
import { BAD_ROUTES } from './testing/bad-routes.ts'
import { BAD_SOURCES } from './testing/bad-sources.ts'
import { BAD_TOGETHER } from './testing/bad-together.ts'
import { edited, type PlaybookTrial, playbookTrial } from './testing/broken-playbook.ts'

const CORPUS = Object.entries({ ...BAD_FIELDS, ...BAD_ROUTES, ...BAD_SOURCES, ...BAD_TOGETHER })

test('the playbook that the others break is valid', async () => {
  await using trial = await playbookTrial()
  expect(await trial.faults()).toEqual([])
})

test('the corpus has at least fifty playbooks', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(50)
})

test.each(CORPUS)('reports exactly what is wrong: %s', async (_name, { edit, faults }) => {
  await using trial = await playbookTrial(edited(edit))
  expect(await trial.faults()).toEqual(faults)
})

test.each([
  ['a list of its own schema', { 'times: inputs.n': 'over: design.parts?' }],
  ['a flag of its own schema', { 'criteria.needsDesign: true': 'design.isRisky: true' }],
  ['a field of its own schema without a type', { 'criteria.needsDesign: true': 'design.other: 3' }],
  ['a stage named constructor', { '  child:\n': '  constructor:\n', 'some: child': 'some: constructor' }],
])('accepts %s', async (_name, edit) => {
  await using trial = await playbookTrial(edited(edit))
  expect(await trial.faults()).toEqual([])
})

test.each([
  [
    'revised from the tip',
    { 'fail: { next: revise, max': 'fail: { next: implement, max' },
    ['stages.implement.from'],
  ],
  [
    'tried again from the tip if it failed',
    {
      'done: check, failed: end.failed }':
        'done: check, failed: { next: implement, max: 1, then: end.failed } }',
    },
    [],
  ],
])('warns only about a change that is lost: one that is %s', async (_name, edit, fields) => {
  await using trial = await playbookTrial(edited(edit))
  const folder = await trial.read()
  const paths = folder.ok ? folder.value.review.warnings.map(({ path: field }) => field.join('.')) : []
  expect(paths.filter((field) => field.endsWith('from'))).toEqual(fields)
})

test.each([
  ['rejected', { 'documents: [criteria, design?]': 'partial: land' }, ['REJECTED, NEEDS_REVISION']],
  [
    'rejected, after another stage',
    {
      'documents: [criteria, design?]': 'partial: land',
      'REJECTED: end.partial': 'REJECTED: approval',
      'NEEDS_REVISION: { next: revise, max: 2, then: end.partial }':
        'NEEDS_REVISION: { next: revise, max: 2, then: end.failed }',
    },
    ['REJECTED'],
  ],
  ['rejected and kept', { 'documents: [criteria, design?]': 'partial: keep' }, []],
  [
    'rejected and lost',
    {
      'documents: [criteria, design?]': 'partial: land',
      'REJECTED: end.partial': 'REJECTED: end.failed',
      'NEEDS_REVISION: { next: revise, max: 2, then: end.partial }':
        'NEEDS_REVISION: { next: revise, max: 2, then: end.failed }',
    },
    [],
  ],
])('warns about work that lands although it was not approved: %s', async (_name, edit, outcomes) => {
  await using trial = await playbookTrial(edited(edit))
  const folder = await trial.read()
  const warnings = folder.ok ? folder.value.review.warnings : [{ path: [], problem: 'invalid' }]
  expect(warnings.filter(({ path: field }) => field.join('.') === 'result.partial')).toEqual(
    outcomes.map((words) => ({
      path: ['result', 'partial'],
      problem: `work that "review" did not approve lands too (${words}); write "ask" or "keep" to prevent that`,
    })),
  )
  expect(folder.ok).toBe(true)
})

const PROMPT = '8:29 roles.developer.prompt: ./developer.md'
const SCHEMA = '25:5 stages.design.output: ./design.schema.json'

describe('files', () => {
  test.each<[string, (trial: PlaybookTrial) => Promise<unknown>, string]>([
    ['an empty prompt', (trial) => trial.write('developer.md', ' \n'), `${PROMPT} is empty`],
    [
      'a prompt that is too large',
      (trial) => trial.write('developer.md', 'x'.repeat(256 * 1024 + 1)),
      `${PROMPT} is larger than 256 KiB`,
    ],
    [
      'a prompt that is not UTF-8',
      (trial) => trial.write('developer.md', Uint8Array.of(0x61, 0xff)),
      `${PROMPT} is not UTF-8 text`,
    ],
    [
      'a schema that is not an object',
      (trial) => trial.write('design.schema.json', '[]'),
      `${SCHEMA} must be a JSON Schema, an object such as { "type": "object" }`,
    ],
    [
      'a schema that refers to another, behind an escape',
      (trial) => trial.write('design.schema.json', '{"properties":{"a":{"\\u0024ref":"../x.json"}}}'),
      `${SCHEMA} can't be used: it uses "$ref"; write that part of the schema out instead`,
    ],
    [
      'a schema of something else than an object',
      (trial) => trial.write('design.schema.json', '{"type":"array","items":{}}'),
      `${SCHEMA} must describe an object: "type": "object"`,
    ],
    [
      'a schema with a keyword that can not be checked',
      (trial) => trial.write('design.schema.json', '{"type":"object","if":{"required":["a"]}}'),
      `${SCHEMA} can't be used: it uses "if"; these keywords are checked: type, enum, const, properties, required, additionalProperties, items, anyOf, minimum, maximum, minLength, maxLength, minItems, maxItems, default`,
    ],
    [
      'a schema with a type that does not exist',
      (trial) => trial.write('design.schema.json', '{"properties":{"a":{"type":"strin"}}}'),
      `${SCHEMA} can't be used: there is no type "strin"`,
    ],
  ])('reports %s', async (_name, breakIt, fault) => {
    await using trial = await playbookTrial()
    await breakIt(trial)
    expect(await trial.faults()).toEqual([fault])
  })

  test('reports a prompt that is a link out of the folder', async () => {
    await using trial = await playbookTrial()
    const outside = path.join(path.dirname(trial.directory), 'secret.md')
    await writeFile(outside, 'secret')
    await rm(path.join(trial.directory, 'developer.md'))
    await symlink(outside, path.join(trial.directory, 'developer.md'))
    expect(await trial.faults()).toEqual([`${PROMPT} is outside the playbook's folder`])
  })

  test('reports a prompt that is a named pipe instead of waiting for it', async () => {
    await using trial = await playbookTrial()
    await rm(path.join(trial.directory, 'developer.md'))
    await promisify(execFile)('mkfifo', [path.join(trial.directory, 'developer.md')])
    expect(await trial.faults()).toEqual([`${PROMPT} is not a file`])
  })

  test('reports a schema that is not JSON', async () => {
    await using trial = await playbookTrial()
    await trial.write('design.schema.json', '{ "properties": ')
    expect(await trial.faults()).toEqual([expect.stringContaining(`${SCHEMA} is not JSON: `)])
  })

  test('reads a schema that is nested deeper than calls can be', async () => {
    await using trial = await playbookTrial()
    await trial.write('design.schema.json', `{"enum":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    expect((await trial.faults()).length).toBeLessThanOrEqual(1)
  })

  test('reports a folder that does not exist', async () => {
    await using trial = await playbookTrial()
    await rm(trial.directory, { recursive: true })
    expect(await trial.faults()).toEqual([
      `-:- : playbook.yaml can't be read, because there is no folder ${trial.directory}`,
    ])
  })
})

describe('size', () => {
  const stages = Array.from({ length: 101 }, (_, index) => {
    const next = index < 100 ? `s${index + 1}` : 'end.land'
    return `  s${index}: { checks: project, on: { pass: ${next}, fail: end.partial } }`
  })
  const tenOf = (name: string) => Array.from({ length: 10 }, () => `*${name}`).join(', ')
  test.each([
    ['a file that is too large', '#'.repeat(256 * 1024 + 1), '-:- : playbook.yaml is larger than 256 KiB'],
    ['too many brackets', `a: ${'['.repeat(10_001)}`, '-:- : has more than 10000 brackets'],
    [
      'too many fields',
      Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'),
      '-:- : has more than 10000 fields and list entries',
    ],
    [
      'aliases that multiply',
      `a: &a [x, x]\nb: &b [${tenOf('a')}]\nc: &c [${tenOf('b')}]\nd: &d [${tenOf('c')}]\n`,
      '-:- : is not valid YAML: Excessive alias count indicates a resource exhaustion attack',
    ],
    [
      'more than 100 stages',
      `version: 1\nname: trial\ndescription: Long.\nstart: s0\nstages:\n${stages.join('\n')}\n`,
      '5:1 stages: must not have more than 100 stages',
    ],
  ])('reports %s', async (_name, text, fault) => {
    await using trial = await playbookTrial(text)
    expect(await trial.faults()).toEqual([fault])
  })

  test('reports the first of very many problems, and how many there are besides', async () => {
    const unknown = Array.from({ length: 5_000 }, (_, index) => `k${index}: 1`).join('\n')
    await using trial = await playbookTrial(`${edited({})}\n${unknown}\n`)
    const faults = await trial.faults()
    expect(faults).toHaveLength(101)
    expect(faults[99]).toContain(' k99: is not a known field')
    expect(faults[100]).toBe('-:- : has at least 4900 more problems')
  })

  test('reports brackets that are nested too deeply', async () => {
    await using trial = await playbookTrial(`a: ${'['.repeat(9_000)}`)
    expect(await trial.faults()).toEqual([expect.stringContaining('not valid YAML')])
  })
})
