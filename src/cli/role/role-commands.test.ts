import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireSession } from '../../client/index.ts'
import { runCli } from '../run-cli.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import {
  SAMPLE_RUN_ID,
  samplePlaybook,
  sampleRun,
  sampleVisit,
  sampleVisitAttempt,
} from '../testing/sample-run.ts'
import {
  SAMPLE_JOB_ID,
  SAMPLE_TASK_ID,
  sampleEvent,
  sampleJob,
  sampleNames,
  sampleSession,
  sampleTask,
} from '../testing/sample-wire.ts'
import { openStandInApi, type StandInOptions } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

const RUN = sampleRun({
  visits: [
    sampleVisit(),
    sampleVisit({ id: 'vis_2', stage: 'review' }),
    sampleVisit({ id: 'vis_3', stage: 'review', round: 2 }),
  ],
})
const ATTEMPTS = [
  sampleVisitAttempt(),
  sampleVisitAttempt({ id: 'att_2', visitId: 'vis_2', role: 'reviewer', sessionId: 'ses_2' }),
  sampleVisitAttempt({ id: 'att_3', visitId: 'vis_3', role: 'reviewer', sessionId: 'ses_3' }),
]

const said = (seq: number, sessionId: string, text: string) =>
  sampleEvent('session_prompted', {
    seq,
    sessionId,
    taskId: SAMPLE_TASK_ID,
    data: { role: 'worker', agent: 'ada', text },
  })

const EVENTS = [
  said(1, 'ses_1', 'write it'),
  said(2, 'ses_2', 'judge it'),
  said(3, 'ses_1', 'write more'),
  said(4, 'ses_3', 'judge it again'),
]

/** A daemon with one run, in which a developer and a reviewer have worked. */
function answersWith(
  named = sampleNames(),
  sessions: readonly WireSession[] = [],
): StandInOptions['answers'] {
  const found: Readonly<Record<string, unknown>> = {
    '/api/names': named,
    '/api/runs': { items: [RUN] },
    [`/api/runs/${SAMPLE_RUN_ID}`]: RUN,
    [`/api/runs/${SAMPLE_RUN_ID}/playbook`]: samplePlaybook('developer', 'reviewer'),
    '/api/orchestrator': { items: [sampleJob()] },
    [`/api/orchestrator/${SAMPLE_JOB_ID}/events`]: { items: EVENTS, lastSeq: 4 },
    [`/api/tasks/${SAMPLE_TASK_ID}`]: { ...sampleTask(), attempts: ATTEMPTS, landings: [] },
    '/api/tasks': { items: [sampleTask()] },
    '/api/sessions': { items: sessions },
  }
  return (_, path) => found[path]
}

const run = (words: readonly string[], answers = answersWith()) => trial.run({ answers, ends: true }, words)

describe('muster logs ROLE', () => {
  const REVIEWS = ['[review] > judge it', '[review (round 2)] > judge it again']

  it.each([
    ['in the newest run', ['reviewer']],
    ['in a named run', [SAMPLE_RUN_ID, 'reviewer']],
    ['in the run that a flag names', ['reviewer', '--run', SAMPLE_RUN_ID]],
    ['in the newest run of a task', [SAMPLE_TASK_ID, 'reviewer']],
  ])('prints what one role said %s, visit by visit', async (_, words) => {
    const printed = await run(['logs', ...words])
    expect(printed.err).toContain('reviewer in run_')
    expect(printed.out.trimEnd().split('\n')).toEqual(REVIEWS)
    expect(printed.code).toBe(0)
  })

  it('finds the latest lines of a role, however much others said since, and follows it', async () => {
    expect((await run(['logs', 'developer', '-n', '1'])).out).toBe('[implement] > write more\n')
    expect((await run(['logs', 'reviewer', '-f'])).out.trimEnd().split('\n')).toEqual(REVIEWS)
  })

  it('means the record if a text names one', async () => {
    const job = sampleNames({ by: 'title', title: 'Write a reviewer' })
    const printed = await run(['logs', 'reviewer'], answersWith(job))
    expect(printed.err).toContain('Write a reviewer')
    expect(printed.out.trimEnd().split('\n')).toHaveLength(4)
  })

  it('lists what a text could mean, and the roles if there is no such role', async () => {
    const two = sampleNames({ by: 'title', title: 'A reviewer' }, { by: 'title', title: 'Two reviewers' })
    expect(await run(['logs', 'reviewer'], answersWith(two))).toMatchObject({
      code: 2,
      err: expect.stringContaining('matches 2 records'),
    })
    const unknown = await run(['logs', 'architect'])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain('the newest run has no such role')
    expect(unknown.err).toContain('the roles of reviewed are developer, reviewer')
    expect((await run(['logs', 'revewer'])).err).toContain('did you mean reviewer?')
    expect((await run(['logs', SAMPLE_RUN_ID, 'reviewer', '--run', SAMPLE_RUN_ID])).code).toBe(2)
  })
})

describe('muster logs RUN', () => {
  it('prints what was said in this run, and not in other runs of its task', async () => {
    const answers = answersWith()
    const other = said(5, 'ses_9', 'of an earlier run')
    const withOther: StandInOptions['answers'] = (method, path) =>
      path === `/api/orchestrator/${SAMPLE_JOB_ID}/events`
        ? { items: [...EVENTS, other], lastSeq: 5 }
        : answers(method, path)
    const printed = await run(['logs', SAMPLE_RUN_ID], withOther)
    expect(printed.out.trimEnd().split('\n')).toEqual([
      '[implement] > write it',
      '[review] > judge it',
      '[implement] > write more',
      '[review (round 2)] > judge it again',
    ])
  })
})

describe('muster attach ROLE', () => {
  it('says how to read a role that has no terminal, or that is not at work', async () => {
    const working = answersWith(sampleNames(), [sampleSession({ id: 'ses_3', jobId: SAMPLE_JOB_ID })])
    const attached = await run(['attach', 'reviewer', '--read-only'], working)
    expect(attached.code).toBe(3)
    expect(attached.err).toContain('works in')
    expect(attached.err).toMatch(/logs run_\w+ reviewer -f/)
    const idle = await run(['attach', 'developer', '--read-only', '--run', SAMPLE_RUN_ID], working)
    expect(idle.err).toContain('developer is not at work in')
    expect(idle.err).toMatch(/logs run_\w+ developer\n/)
  })

  it('never guesses between several terminals of a role', async () => {
    const open = ['ses_2', 'ses_3'].map((id) => sampleSession({ id, mode: 'interactive' }))
    const attached = await run(['attach', 'reviewer', '--read-only'], answersWith(sampleNames(), open))
    expect(attached.code).toBe(2)
    expect(attached.err).toContain('2 sessions of reviewer have a terminal')
  })
})

describe('completion', () => {
  it('offers the roles of the newest run after the records, and those of the run before', async () => {
    await using api = await openStandInApi({ answers: answersWith(sampleNames({})) })
    const complete = async (...words: readonly string[]) => {
      const surroundings = trial.surroundings()
      const place = ['--server', api.url, '--home', trial.path()]
      expect(await runCli(surroundings, ['__complete', ...place, ...words])).toBe(0)
      const lines = surroundings.stdoutText().split('\n')
      return lines.flatMap((line) => line.split('\t')[0] || [])
    }
    expect(await complete('logs', '')).toEqual(['job_9abc', 'developer', 'reviewer'])
    expect(await complete('attach', 'rev')).toEqual(['reviewer'])
    expect(await complete('logs', SAMPLE_RUN_ID, '')).toEqual(['developer', 'reviewer'])
  })
})
