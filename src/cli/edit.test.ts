import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireJobDocument } from '../client/index.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleTask } from './testing/sample-wire.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const JOB = `/api/orchestrator/${SAMPLE_JOB_ID}`

const trial = createCommandTrial(temporaryDirectory)

beforeEach(() => {
  before = running
  versions = [goal, { ...goal, number: 1, author: 'engine', cycle: 3 }]
})

const goal: WireJobDocument = {
  kind: 'goal',
  number: 2,
  text: 'Two trees\nand a pond',
  author: 'person',
  createdAt: NOW.toISOString(),
}
const running = sampleJob({ status: 'running' })
const edited = sampleJob({ status: 'running', waitingDocuments: [goal] })
let before = running
let versions: readonly WireJobDocument[] = []

function answers(method: string, path: string): unknown {
  if (path === `${JOB}/documents`) return { items: versions }
  if (path === '/api/orchestrator') return { items: [edited] }
  if (path === '/api/tasks') return { items: [sampleTask()] }
  if (!path.startsWith(JOB)) return undefined
  return method === 'GET' ? before : edited
}

function run(words: readonly string[], input = '') {
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  stdin.end(input)
  return trial.run({ answers }, words, { now: () => NOW, stdin })
}

describe('muster edit', () => {
  it('sends a new goal and requested tasks, from text, a file or standard input', async () => {
    writeFileSync(join(trial.path(), 'GOAL.md'), '# Two trees\n')
    const printed = await run(['edit', SAMPLE_JOB_ID, '--goal', '@GOAL.md', '--tasks', '-'], 'dig first\n')
    expect(printed).toMatchObject({
      code: 0,
      bodies: [{ requestDocument: '# Two trees\n' }, { requestedTasks: 'dig first\n' }],
    })
    expect(printed.requests.filter((request) => request.startsWith('PUT'))).toEqual([
      `PUT ${JOB}/request`,
      `PUT ${JOB}/tasklist`,
    ])
    expect(printed.out).toContain('goal (version 2) applies from the next cycle')
  })

  it('accepts an empty list of tasks, but not an empty goal', async () => {
    expect((await run(['edit', SAMPLE_JOB_ID, '--tasks', ''])).bodies).toEqual([{ requestedTasks: '' }])
    const empty = await run(['edit', SAMPLE_JOB_ID, '--goal', ' '])
    expect(empty).toMatchObject({ code: 2, bodies: [] })
    expect(empty.err).toMatch(new RegExp(`try: muster .*edit ${SAMPLE_JOB_ID} --goal "`))
  })

  it('refuses to read both from standard input', async () => {
    const printed = await run(['edit', SAMPLE_JOB_ID, '--goal', '-', '--tasks', '-'])
    expect(printed).toMatchObject({ code: 2, bodies: [] })
    expect(printed.err).toContain('only one of --goal and --tasks')
  })

  it('prints the history if there is nothing to change', async () => {
    const printed = await run(['edit', SAMPLE_JOB_ID])
    expect(printed.out).toMatch(/goal 2 by you, .*2 lines, applies from the next cycle\n {2}Two trees/)
    expect(printed.out).toMatch(/goal 1 by Muster, .*used since cycle 3/)
    expect((await run(['edit', SAMPLE_JOB_ID, '--json'])).out).toContain('"number":2')
  })

  it('reports that the same text changes nothing', async () => {
    before = edited
    const printed = await run(['edit', SAMPLE_JOB_ID, '--goal', goal.text, '--tasks', ''])
    expect(printed.out).toContain('goal (version 2) applies from the next cycle, unchanged')
    expect(printed.out).toContain('requested tasks unchanged: this text is already in use')
  })

  it('marks versions that were never used, and ignores a newline at the end', async () => {
    const version = (number: number, rest: Partial<WireJobDocument> = {}) => ({ ...goal, number, ...rest })
    versions = [version(4, { text: 'one\n' }), version(3, { cycle: 2 }), version(2, { cycle: 2 })]
    const printed = await run(['edit', SAMPLE_JOB_ID])
    expect(printed.out).toMatch(/goal 4 .* 1 line, applies from the next cycle/)
    expect(printed.out).toMatch(/goal 3 .* used since cycle 2/)
    expect(printed.out).toMatch(/goal 2 .* never used, replaced by 3/)
    before = sampleJob()
    expect((await run(['edit', SAMPLE_JOB_ID])).out).toMatch(/goal 4 .* never used, the job had ended/)
  })

  it('appears in the details of the job', async () => {
    before = edited
    expect((await run(['show', SAMPLE_JOB_ID])).out).toMatch(
      /waiting +goal \(version 2\), for the next cycle/,
    )
  })
})

describe('muster run', () => {
  it.each(['0', '-1', 'much', '1e3', '2000000'])('refuses %s as a budget', async (amount) => {
    expect(await run(['run', 'grow', '--budget', amount])).toMatchObject({ code: 2, requests: [] })
  })

  it('refuses an unknown mode', async () => {
    expect(await run(['run', 'grow', '--mode', 'hope'])).toMatchObject({ code: 2, requests: [] })
  })
})

describe('muster start', () => {
  it('refuses mode review, and says that the playbook decides about reviews', async () => {
    const refused = await run(['start', 'reviewed', 'grow', '--mode', 'review'])
    expect(refused).toMatchObject({ code: 2, requests: [] })
    expect(refused.err).toContain('use one with a review, such as reviewed')
  })

  it('refuses an unknown mode', async () => {
    expect(await run(['start', 'reviewed', 'grow', '--mode', 'hope'])).toMatchObject({
      code: 2,
      requests: [],
    })
  })
})
