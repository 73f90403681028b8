import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import type { Playbook } from '../../../domain/playbook/playbook.ts'
import { describeReference } from '../../../domain/playbook/reference.ts'
import { describeTarget, type Route, routeOf } from '../../../domain/playbook/route.ts'
import { SHIPPED_PLAYBOOKS } from '../../../domain/playbook/shipped-names.ts'
import { edgesOf } from '../../../domain/playbook/stage-graph.ts'
import { createFolderPlaybooks } from './folder-playbooks.ts'
import { playbookTrial, SHIPPED, VALID } from './testing/broken-playbook.ts'

const source = createFolderPlaybooks({ shipped: SHIPPED })
const NAMES = SHIPPED_PLAYBOOKS

async function shipped(name: string): Promise<Playbook> {
  const folder = await source.read(path.join(SHIPPED, name))
  if (!folder.ok) throw new Error(JSON.stringify(folder.failure))
  return folder.value.playbook
}

/** The route of an outcome, written as in the file. */
async function route(name: string, stage: string, outcome: string): Promise<string> {
  const found = (await shipped(name)).stages[stage]
  if (found === undefined || found.type === 'choose') throw new Error(`${name} has no stage ${stage}`)
  return describeRoute(routeOf(found.on, outcome))
}

function describeRoute(found: Route | undefined): string {
  if (found === undefined) return 'none'
  if (found.type === 'always') return describeTarget(found.to)
  return `${describeTarget(found.to)} <= ${found.max}, then ${describeTarget(found.beyond)}`
}

async function roleOf(name: string, stage: string): Promise<string | undefined> {
  const found = (await shipped(name)).stages[stage]
  return found?.type === 'role' ? found.role : undefined
}

describe('shipped playbooks', () => {
  test('are these eight, in the order of their names', async () => {
    expect((await source.list(undefined)).map(({ name, place }) => `${place} ${name}`)).toEqual(
      NAMES.map((name) => `shipped ${name}`),
    )
  })

  test.each(NAMES)('%s is valid without warnings', async (name) => {
    const folder = await source.read(path.join(SHIPPED, name))
    expect(folder).toMatchObject({ ok: true, value: { review: { errors: [], warnings: [] } } })
  })

  test.each([
    ['architecture', 25],
    ['best-of', 18],
    ['development', 89],
    ['research', 20],
    ['review', 4],
    ['reviewed', 18],
    ['solo', 2],
    ['tdd', 45],
  ])('%s never makes more than %i visits', async (name, bound) => {
    const folder = await source.read(path.join(SHIPPED, name))
    expect(folder.ok && folder.value.review.visitBound).toBe(bound)
  })

  test.each([
    ['reviewed', 'review', 'revise'],
    ['tdd', 'review', 'revise'],
    ['development', 'code_review', 'code_revision'],
  ])('%s shows its reviewer the issues that the developer disputes', async (name, review, revision) => {
    const stage = (await shipped(name)).stages[review]
    const sees = stage?.type === 'role' ? stage.sees.map(describeReference) : []
    expect(sees).toContain(`${revision}.issuesDisputed?`)
  })
})

describe('the routing table of research', () => {
  test('a finding of initial_research goes to the reviewer for verification', async () => {
    expect(await roleOf('research', 'initial_research')).toBe('researcher')
    expect(await route('research', 'initial_research', 'some')).toBe('verification')
    expect(await roleOf('research', 'verification')).toBe('reviewer')
  })
  test('an approving review leads to synthesis', async () => {
    expect(await route('research', 'verification', 'APPROVED')).toBe('synthesis')
    expect(await route('research', 're_verification', 'APPROVED')).toBe('synthesis')
  })
  test('a review that asks for a revision leads to the researcher for a deep_dive', async () => {
    expect(await route('research', 'verification', 'NEEDS_REVISION')).toBe('deep_dive')
    expect(await route('research', 're_verification', 'NEEDS_REVISION')).toMatch(/^deep_dive <= /)
    expect(await roleOf('research', 'deep_dive')).toBe('researcher')
  })
  test('a run has at most two deep_dives', async () => {
    // Nothing leads back to verification, so its route is taken once; re_verification adds one more.
    const edges = edgesOf(await shipped('research'))
    expect(edges.filter(({ to }) => to === 'verification').map(({ from }) => from)).toEqual([
      'initial_research',
    ])
    expect(edges.filter(({ to }) => to === 'initial_research').map(({ from }) => from)).toEqual(['questions'])
    expect(await route('research', 're_verification', 'NEEDS_REVISION')).toBe(
      'deep_dive <= 1, then synthesis',
    )
  })
  test('a review that asks for a revision at the limit leads to synthesis, marked partial', async () => {
    expect(await route('research', 're_verification', 'NEEDS_REVISION')).toMatch(/, then synthesis$/)
    expect(await route('research', 'citations', 'APPROVED')).toBe('completeness')
    expect((await shipped('research')).stages['completeness']).toMatchObject({
      type: 'choose',
      cases: [
        {
          condition: [{ field: { of: 'verification', field: 'verdict' }, value: 'APPROVED' }],
          to: { end: 'done' },
        },
        {
          condition: [{ field: { of: 're_verification', field: 'verdict' }, value: 'APPROVED' }],
          to: { end: 'done' },
        },
      ],
      otherwise: { end: 'partial' },
    })
  })
  test('a finding of a deep_dive goes to the reviewer for re_verification', async () => {
    expect(await route('research', 'deep_dive', 'done')).toBe('re_verification')
    expect(await roleOf('research', 're_verification')).toBe('reviewer')
  })
  test('a report is complete only after its citations are checked', async () => {
    expect(await route('research', 'synthesis', 'done')).toBe('citations')
    expect(await route('research', 'citations', 'NEEDS_REVISION')).toBe('synthesis <= 1, then end.partial')
  })
})

describe('the routing table of development', () => {
  test.each([
    ['a design of architecture goes to design_review', 'architecture', 'done', 'design_review'],
    ['a design of design_revision goes to design_review', 'design_revision', 'done', 'design_review'],
    ['an approved design goes on to its gate', 'design_review', 'APPROVED', 'design_gate'],
    ['a design whose gate is off goes to implementation', 'design_gate', 'skipped', 'implementation'],
    ['an allowed design goes to implementation', 'design_gate', 'allowed', 'implementation'],
    [
      'a design that needs a revision goes to design_revision, at most twice',
      'design_review',
      'NEEDS_REVISION',
      'design_revision <= 2, then design_gate',
    ],
    ['code goes to the checks', 'implementation', 'done', 'check'],
    ['code that passes the checks goes to code_review', 'check', 'pass', 'code_review'],
    ['revised code goes to the checks', 'code_revision', 'done', 'check'],
    ['approved code goes on to its gate', 'code_review', 'APPROVED', 'result_gate'],
    ['code whose gate is off goes to documentation', 'result_gate', 'skipped', 'documentation'],
    ['allowed code goes to documentation', 'result_gate', 'allowed', 'documentation'],
    [
      'code that needs a revision goes to code_revision, at most three times',
      'code_review',
      'NEEDS_REVISION',
      'code_revision <= 3, then end.partial',
    ],
    ['documentation is checked', 'documentation', 'done', 'final_check'],
    ['checked documentation completes the run', 'final_check', 'pass', 'end.land'],
  ])('%s', async (_title, stage, outcome, target) => {
    expect(await route('development', stage, outcome)).toBe(target)
  })

  test.each([
    ['architecture', 'architect'],
    ['design_review', 'reviewer'],
    ['design_revision', 'architect'],
    ['implementation', 'developer'],
    ['code_review', 'reviewer'],
    ['code_revision', 'developer'],
    ['documentation', 'developer'],
  ])('%s is the work of the %s', async (stage, role) => {
    expect(await roleOf('development', stage)).toBe(role)
  })
})

describe('places', () => {
  test('a playbook of the repository wins over the person’s, and that over the shipped one', async () => {
    await using directory = await temporaryDirectory()
    const repository = path.join(directory.path, 'repository')
    const own = path.join(repository, '.muster', 'playbooks')
    const person = path.join(directory.path, 'person')
    for (const folder of [path.join(own, 'solo'), path.join(person, 'solo'), path.join(person, 'tdd')]) {
      await mkdir(folder, { recursive: true })
      await writeFile(path.join(folder, 'playbook.yaml'), 'version: 1\n')
    }
    await mkdir(path.join(person, 'not-a-playbook'))
    await symlink(path.join(SHIPPED, 'review'), path.join(person, 'linked'))
    const all = createFolderPlaybooks({ shipped: SHIPPED, person })
    const list = (await all.list(repository)).map(({ name, place }) => `${place} ${name}`)
    const others = NAMES.filter((name) => name !== 'solo' && name !== 'tdd')
    expect(list).toEqual(['repository solo', 'person tdd', ...others.map((name) => `shipped ${name}`)])
    expect(await all.find('solo', repository)).toMatchObject({ directory: path.join(own, 'solo') })
    expect(await all.find('solo', undefined)).toMatchObject({ directory: path.join(person, 'solo') })
    expect(await all.find('builtin', repository)).toBeUndefined()
    expect(await all.find('__proto__', repository)).toBeUndefined()
  })

  test('a repository without playbooks, or that is gone, has none of its own', async () => {
    const list = await source.list('/nonexistent')
    expect(list.map(({ name }) => name)).toEqual(NAMES)
  })
})

describe('the hash', () => {
  const hashIn = async (trial: Awaited<ReturnType<typeof playbookTrial>>) => {
    const folder = await trial.read()
    if (!folder.ok) throw new Error(JSON.stringify(folder.failure))
    return folder.value.hash
  }

  test.each([
    ['playbook.yaml', `${VALID}# a comment\n`],
    ['developer.md', 'Build it well.\n'],
    ['design.schema.json', '{ "properties": { "approach": { "type": "string" } } }'],
  ])('changes with %s, and comes back with its old text', async (file, text) => {
    await using trial = await playbookTrial()
    const before = await trial.read()
    const hash = await hashIn(trial)
    await trial.write(file, text)
    expect(await hashIn(trial)).not.toBe(hash)
    const files = before.ok ? before.value.files : {}
    await trial.write(file, files[file] ?? files[`./${file}`] ?? '')
    expect(await hashIn(trial)).toBe(hash)
  })

  test('changes with a shipped prompt that the playbook uses, and with no other', async () => {
    await using directory = await temporaryDirectory()
    await cp(SHIPPED, directory.path, { recursive: true })
    const copy = createFolderPlaybooks({ shipped: directory.path })
    const hash = async () => {
      const folder = await copy.read(path.join(directory.path, 'solo'))
      return folder.ok ? folder.value.hash : undefined
    }
    const before = await hash()
    await writeFile(path.join(directory.path, 'builtin', 'judge.md'), 'Judge.\n')
    expect(await hash()).toBe(before)
    await writeFile(path.join(directory.path, 'builtin', 'developer.md'), 'Build.\n')
    expect(await hash()).not.toBe(before)
  })

  test('does not change with a file that the playbook does not use, or with the place of its folder', async () => {
    await using trial = await playbookTrial()
    await using other = await playbookTrial()
    const hash = await hashIn(trial)
    await trial.write('README.md', 'For people.\n')
    expect(await hashIn(trial)).toBe(hash)
    expect(await hashIn(other)).toBe(hash)
    expect(await readdir(trial.directory)).toContain('README.md')
  })
})
