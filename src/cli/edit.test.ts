import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireJobDocument } from '../client/index.ts'
import { runCli } from './run-cli.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleTask } from './testing/sample-wire.ts'
import { openStandInApi } from './testing/stand-in-api.ts'
import { testSurroundings } from './testing/test-surroundings.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const JOB = `/api/orchestrator/${SAMPLE_JOB_ID}`

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  before = running
  versions = [goal, { ...goal, number: 1, author: 'engine', cycle: 3 }]
  writeFileSync(join(directory.path, 'token'), 'secret\n')
})

afterEach(() => directory[Symbol.asyncDispose]())

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

async function tell(words: readonly string[], input = '') {
  await using api = await openStandInApi({ answers })
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  stdin.end(input)
  const surroundings = testSurroundings({ cwd: directory.path, now: () => NOW, stdin })
  const code = await runCli(surroundings, [...words, '--server', api.url, '--home', directory.path])
  return {
    code,
    out: surroundings.stdoutText(),
    err: surroundings.stderrText(),
    bodies: api.bodies,
    requests: api.requests,
  }
}

describe('editing a job', () => {
  it('sends the new goal and the wanted tasks, from words, a file or standard input', async () => {
    writeFileSync(join(directory.path, 'GOAL.md'), '# Two trees\n')
    const told = await tell(['edit', SAMPLE_JOB_ID, '--goal', '@GOAL.md', '--tasks', '-'], 'dig first\n')
    expect(told).toMatchObject({
      code: 0,
      bodies: [{ requestDocument: '# Two trees\n' }, { taskList: 'dig first\n' }],
    })
    expect(told.requests.filter((request) => request.startsWith('PUT'))).toEqual([
      `PUT ${JOB}/request`,
      `PUT ${JOB}/tasklist`,
    ])
    expect(told.out).toContain('goal (version 2) waits for the next cycle')
  })

  it('takes an empty list of tasks for none, and an empty goal for a mistake', async () => {
    expect((await tell(['edit', SAMPLE_JOB_ID, '--tasks', ''])).bodies).toEqual([{ taskList: '' }])
    const empty = await tell(['edit', SAMPLE_JOB_ID, '--goal', ' '])
    expect(empty).toMatchObject({ code: 2, bodies: [] })
    expect(empty.err).toMatch(new RegExp(`try: muster .*edit ${SAMPLE_JOB_ID} --goal "`))
  })

  it('reads standard input once only', async () => {
    const told = await tell(['edit', SAMPLE_JOB_ID, '--goal', '-', '--tasks', '-'])
    expect(told).toMatchObject({ code: 2, bodies: [] })
    expect(told.err).toContain('either the goal or the tasks')
  })

  it('shows the history when there is nothing to change', async () => {
    const told = await tell(['edit', SAMPLE_JOB_ID])
    expect(told.out).toMatch(/goal 2 by a person, .*2 lines, waits for the next cycle\n {2}Two trees/)
    expect(told.out).toMatch(/goal 1 by Muster, .*in force since cycle 3/)
    expect((await tell(['edit', SAMPLE_JOB_ID, '--json'])).out).toContain('"number":2')
  })

  it('says of the same text again that nothing was changed', async () => {
    before = edited
    const told = await tell(['edit', SAMPLE_JOB_ID, '--goal', goal.text, '--tasks', ''])
    expect(told.out).toContain('goal (version 2) waits for the next cycle, unchanged')
    expect(told.out).toContain('wanted tasks unchanged: this is what is in force')
  })

  it('tells versions that were never in force, and counts lines as people do', async () => {
    const version = (number: number, rest: Partial<WireJobDocument> = {}) => ({ ...goal, number, ...rest })
    versions = [version(4, { text: 'one\n' }), version(3, { cycle: 2 }), version(2, { cycle: 2 })]
    const told = await tell(['edit', SAMPLE_JOB_ID])
    expect(told.out).toMatch(/goal 4 .* 1 line, waits for the next cycle/)
    expect(told.out).toMatch(/goal 3 .* in force since cycle 2/)
    expect(told.out).toMatch(/goal 2 .* never in force, replaced by 3/)
    before = sampleJob()
    expect((await tell(['edit', SAMPLE_JOB_ID])).out).toMatch(/goal 4 .* never in force, the job had ended/)
  })

  it('is mentioned where the job is shown', async () => {
    before = edited
    expect((await tell(['show', SAMPLE_JOB_ID])).out).toMatch(
      /waiting +goal \(version 2\), for the next cycle/,
    )
  })
})

describe('the money flags', () => {
  it.each(['0', '-1', 'much', '1e3', '2000000'])('refuse %s as a budget', async (amount) => {
    expect(await tell(['run', 'grow', '--budget', amount])).toMatchObject({ code: 2, requests: [] })
  })

  it('refuse a mode that is none', async () => {
    expect(await tell(['run', 'grow', '--mode', 'hope'])).toMatchObject({ code: 2, requests: [] })
  })
})
