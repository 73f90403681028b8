import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireNamedRecord } from '../client/index.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import {
  SAMPLE_APPROVAL_ID,
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  SAMPLE_TASK_ID,
  sampleApproval,
  sampleJob,
  sampleNames,
  sampleSession,
  sampleTask,
} from './testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)
const OTHER_ID = 'job_0mwzzzzzz9xyz0000000'
const SHORT = 'job_9abc'
const title = { kind: 'job', by: 'title' } as const

function run(words: readonly string[], ...named: readonly Partial<WireNamedRecord>[]) {
  const answers = (_method: string, path: string) => {
    if (path === '/api/names') return sampleNames(...named)
    if (path === '/api/tasks') return { items: [sampleTask()] }
    if (path === '/api/orchestrator') return { items: [sampleJob()] }
    if (path === '/api/approvals') return { items: [sampleApproval({ jobId: SAMPLE_JOB_ID })] }
    if (path.startsWith('/api/sessions')) return sampleSession()
    return path.endsWith('/approvals') ? undefined : sampleJob({ status: 'paused' })
  }
  return trial.run({ answers }, words)
}

describe('a name', () => {
  it('is a short ID with or without its prefix', async () => {
    for (const text of [SHORT, '9abc']) {
      const printed = await run(['pause', text], {})
      expect(printed).toMatchObject({ code: 0, err: '' })
      expect(printed.requests.at(-1)).toBe(`POST /api/orchestrator/${SAMPLE_JOB_ID}/pause`)
    }
  })

  it('is the start of a whole ID if it is not a short one', async () => {
    const start = { id: OTHER_ID, by: 'id-start' } as const
    const both = await run(['pause', 'job_0mwz'], start, {})
    expect(both.requests.at(-1)).toBe(`POST /api/orchestrator/${SAMPLE_JOB_ID}/pause`)
    const only = await run(['pause', 'job_0mwz'], start)
    expect(only.requests.at(-1)).toBe(`POST /api/orchestrator/${OTHER_ID}/pause`)
  })

  it('can be part of a title, and is printed then', async () => {
    const printed = await run(['pause', 'week numbers'], { ...title, title: 'Parse week numbers' })
    expect(printed).toMatchObject({ code: 0, err: `${SHORT}: Parse week numbers\n` })
  })

  it('means a job of this repository, a whole title or a job before others', async () => {
    mkdirSync(join(trial.path(), '.git'))
    const own = { ...title, repositoryPath: realpathSync(trial.path()) }
    const here = await run(['pause', 'fix'], { ...title, id: OTHER_ID, repositoryPath: '/x' }, own)
    expect(here.requests.at(-1)).toContain(SAMPLE_JOB_ID)
    const whole = await run(
      ['pause', 'Fix it'],
      { ...title, title: 'fix it' },
      { ...title, id: OTHER_ID, title: 'fix it again' },
    )
    expect(whole.requests.at(-1)).toContain(SAMPLE_JOB_ID)
    const task = { kind: 'task', id: SAMPLE_TASK_ID, by: 'title' } as const
    const job = await run(['show', 'work'], task, title)
    expect(job.requests).toContain(`GET /api/orchestrator/${SAMPLE_JOB_ID}`)
  })

  it('is never guessed: the candidates are listed by names that work', async () => {
    const printed = await run(
      ['cancel', '9'],
      { title: 'First' },
      { id: OTHER_ID, title: 'Second\u001b[2J' },
      { ...title, id: 'job_0mwzzzzzz5555000000', title: 'version 9' },
    )
    expect(printed).toMatchObject({ code: 2, requests: [] })
    expect(printed.err).toContain('error: "9" matches 3 records\n')
    expect(printed.err).toContain(`why: ${SHORT}  First\n       job_9xyz  Second\n`)
  })

  it('that is a mistyped decision about a base leads to the decision', async () => {
    expect((await run(['base', 'continu'])).err).toMatch(/try: muster .*base continue\n/)
  })

  it('of nothing leads to the list of such records', async () => {
    const printed = await run(['diff', 'apr_zzz'])
    expect(printed).toMatchObject({ code: 2, requests: [] })
    expect(printed.err).toMatch(
      /no task, session, approval or job is called "apr_zzz"\n.*try: muster .*approvals/s,
    )
  })
})

describe('an ID in the output', () => {
  it('is short for people and whole for programs', async () => {
    const table = await run(['list', 'jobs'])
    expect(table.out).toMatch(/^job_9abc {2}completed/m)
    expect(table.out).toMatch(/^JOB {7}STATUS/m)
    const suspended = await run(['suspend', SAMPLE_SESSION_ID])
    expect(suspended.out).toMatch(/^ses_9abc is suspended.* resume ses_9abc\n$/)
    const json = await run(['list', 'jobs', '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ data: { items: [{ id: SAMPLE_JOB_ID }] } })
  })

  it('is short in errors', async () => {
    const printed = await run(['show', 't9-9'])
    expect(printed.err).toMatch(
      /why: the newest job is job_9abc;.*try: muster .*list tasks --job job_9abc\n$/s,
    )
  })

  it('stays whole in what a person decides about', async () => {
    const summary = `t1-1 wants to run: muster cancel ${OTHER_ID}`
    const answers = (_method: string, path: string) =>
      path === '/api/names' ? sampleNames() : { items: [sampleApproval({ summary })] }
    const printed = await trial.run({ answers }, ['approvals'])
    expect(printed.out).toContain(summary)
    expect(printed.out).toMatch(/muster .*approve apr_9abc\n/)
    expect(printed.out).not.toContain(SAMPLE_APPROVAL_ID)
  })
})
