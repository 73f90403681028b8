import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireSession } from '../client/index.ts'
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
import type { StandInOptions } from './testing/stand-in-api.ts'

const QUESTION_ID = 'msg_0123456789abcdefghij'
const NOW = new Date('2026-01-02T03:14:05.000Z')

const trial = createCommandTrial(temporaryDirectory)

function run(answers: StandInOptions['answers'], words: readonly string[]) {
  return trial.run({ answers }, words, { now: () => NOW })
}

const question = {
  id: QUESTION_ID,
  from: SAMPLE_SESSION_ID,
  to: 'person',
  kind: 'question',
  type: 'question',
  priority: 'normal',
  threadId: QUESTION_ID,
  requiresResponse: true,
  subject: '',
  body: 'which one?',
  metadata: {},
  status: 'queued',
  createdAt: NOW.toISOString(),
}

function messagesFor(session: WireSession, names = sampleNames({ kind: 'message', id: QUESTION_ID })) {
  return (method: string, path: string) => {
    if (path.startsWith('/api/sessions/')) return session
    if (path === '/api/names') return names
    if (path === `/api/messages/${QUESTION_ID}`) return question
    return method === 'POST' ? { ...question, kind: 'answer', to: session.id } : { items: [question] }
  }
}

it('answers a question by its short ID', async () => {
  const printed = await run(messagesFor(sampleSession()), ['answer', 'msg_9abc', 'the second'])
  expect(printed).toMatchObject({ code: 0, bodies: [{ inReplyTo: QUESTION_ID, body: 'the second' }] })
})

/** A daemon with these open questions, each from its own session of the sample task. */
function askingDaemon(...questionIds: readonly string[]): StandInOptions['answers'] {
  const asked = questionIds.map((id, index) => ({ ...question, id, from: sessionOf(index).id }))
  const waiting = asked.map(({ id }) => ({ id, why: 't1-1 (ada) asks: which one?', next: '' }))
  const fixed: Readonly<Record<string, unknown>> = {
    '/api/status': {
      daemon: {
        pid: 1,
        version: '1',
        startedAt: NOW.toISOString(),
        uptimeMs: 1,
        home: '/m',
        containment: 'bubblewrap',
      },
      jobs: [],
      sessions: asked.map((_, index) => sessionOf(index)),
      waiting: [{ id: SAMPLE_JOB_ID, why: 'the job is paused', next: '' }, ...waiting],
    },
    '/api/orchestrator': { items: [sampleJob()] },
    '/api/tasks': { items: [sampleTask()] },
    [`/api/tasks/${SAMPLE_TASK_ID}`]: { ...sampleTask(), attempts: [], landings: [] },
    '/api/names': sampleNames({ kind: 'message', id: QUESTION_ID }),
  }
  return (method, path) => {
    if (fixed[path] !== undefined) return fixed[path]
    if (path.startsWith('/api/sessions/')) return sessionOf(0)
    if (path.startsWith('/api/messages/')) return asked.find(({ id }) => path.endsWith(id))
    return method === 'POST' ? { ...question, kind: 'answer', to: SAMPLE_SESSION_ID } : { items: asked }
  }
}

function sessionOf(index: number): WireSession {
  return sampleSession({ id: SAMPLE_SESSION_ID.slice(0, -1) + index, taskId: SAMPLE_TASK_ID })
}

const OTHER_QUESTION = 'msg_zyxw456789abcdefghij'

it('answers the only open question without a name, or by the task or session that asked', async () => {
  for (const name of [[], ['t1-1'], [SAMPLE_TASK_ID], [sessionOf(0).id]]) {
    const printed = await run(askingDaemon(QUESTION_ID), ['answer', ...name, 'the second'])
    expect(printed).toMatchObject({ code: 0, bodies: [{ inReplyTo: QUESTION_ID, body: 'the second' }] })
  }
})

it('lists the open questions with the command that answers each if several could be meant', async () => {
  for (const name of [[], ['t1-1']]) {
    const printed = await run(askingDaemon(QUESTION_ID, OTHER_QUESTION), ['answer', ...name, 'the second'])
    expect(printed).toMatchObject({ code: 2, bodies: [] })
    expect(printed.err).toContain('2 questions are waiting for you; name one')
    expect(printed.err).toMatch(/muster answer msg_\w+ "..." {2}t1-1 \(ada\) asks: which one\?/)
  }
})

it('answers nothing if no question is open, or if the answer is missing', async () => {
  expect((await run(askingDaemon(), ['answer', 'x'])).err).toContain('no question is waiting for your answer')
  expect((await run(askingDaemon(), ['answer', 't1-1', 'x'])).err).toContain(
    't1-1 is not waiting for an answer',
  )
  for (const words of [['answer'], ['answer', 't1-1'], ['answer', QUESTION_ID]]) {
    const printed = await run(askingDaemon(QUESTION_ID), words)
    expect(printed).toMatchObject({ code: 2, bodies: [] })
    expect(printed.err).toContain('the text of the answer is missing')
  }
})

it('sends text to the session that works on a task, and never guesses between several', async () => {
  const sent = await run(askingDaemon(QUESTION_ID), ['send', 't1-1', 'hurry'])
  expect(sent).toMatchObject({ code: 0, bodies: [{ text: 'hurry' }] })
  expect(sent.requests.at(-1)).toBe(`POST /api/sessions/${sessionOf(0).id}/messages`)
  const several = await run(askingDaemon(QUESTION_ID, OTHER_QUESTION), ['send', 't1-1', 'hurry'])
  expect(several).toMatchObject({ code: 2, bodies: [] })
  expect(several.err).toMatch(/2 sessions work on t1-1; name one\n +why: muster send ses_\w+ "..." {2}ada/)
  const none = await run(askingDaemon(), ['send', 't1-1', 'hurry'])
  expect(none).toMatchObject({ code: 3, bodies: [] })
  expect(none.err).toContain('no session works on t1-1 now')
})

it('neither answers nor offers to answer a session that has ended', async () => {
  const ended = messagesFor(sampleSession({ status: 'terminated' }))
  const printed = await run(ended, ['answer', '9abc', 'the second'])
  expect(printed).toMatchObject({ code: 3, bodies: [] })
  expect(printed.err).toMatch(/the session that asked has ended .*\n +why: msg_/)
  expect((await run(ended, ['messages', '--all'])).out).not.toContain('answer it')
  expect((await run(messagesFor(sampleSession()), ['messages', '--all'])).out).toContain('answer it')
})

it('names the task whose question failed', async () => {
  const failed = { ...question, status: 'failed', reason: 'the session ended' }
  const all = (_: string, path: string) => {
    if (path.startsWith('/api/sessions/')) return sampleSession({ taskId: SAMPLE_TASK_ID })
    return path.startsWith('/api/tasks/')
      ? { ...sampleTask(), attempts: [], landings: [] }
      : { items: [failed] }
  }
  expect((await run(all, ['messages', '--all'])).out).toMatch(/ question t1-1 \(ses_\w+\) -> person /)
})

it('suggests the list of questions if there is no such message', async () => {
  const printed = await run(messagesFor(sampleSession(), sampleNames()), ['answer', 'msg_zzz', 'x'])
  expect(printed.code).toBe(2)
  expect(printed.err).toMatch(/try: muster .*messages --all --questions/)
})

function jobWith(session: WireSession) {
  const pending = sampleTask({
    id: 'tsk_zzzzzzzzzzzzzzzzzzzz',
    number: 2,
    status: 'pending',
    waiting: {
      limit: 'project',
      value: 4,
      inUse: 4,
      since: NOW.toISOString(),
      reason: '4 of 4 sessions of this project are running',
    },
  })
  const daemon = { pid: 1, version: '1', startedAt: NOW.toISOString(), uptimeMs: 1, home: '/m' }
  const answers: Readonly<Record<string, unknown>> = {
    '/api/tasks': { items: [sampleTask({ status: 'running' }), pending] },
    '/api/approvals': { items: [sampleApproval()] },
    '/api/status': {
      daemon: { ...daemon, containment: 'bubblewrap' },
      jobs: [],
      sessions: [session],
      waiting: [],
    },
  }
  return (_method: string, path: string) => answers[path] ?? sampleJob({ status: 'running' })
}

it('prints what each task is waiting for in the status of a job', async () => {
  const place = { jobId: SAMPLE_JOB_ID, taskId: SAMPLE_TASK_ID }
  const asking = await run(jobWith(sampleSession(place)), ['status', SAMPLE_JOB_ID])
  expect(asking.out).toMatch(new RegExp(`waiting for you: muster .*approve ${SAMPLE_APPROVAL_ID}\n`))
  const rest = { why: 'limited', reason: '', hasExited: true, isResuming: false } as const
  const suspended = { ...rest, until: NOW.toISOString() }
  const limited = sampleSession({ ...place, status: 'suspended', suspended })
  const waiting = await run(jobWith(limited), ['status', SAMPLE_JOB_ID])
  expect(waiting.out).toMatch(/running .*\n +waiting for quota until \d\d:\d\d\n/)
  expect(waiting.out).toMatch(/pending .*\n +waiting: 4 of 4 sessions of this project are running\n/)
})

it('prints how old a measurement of the disk is, unless it is new', async () => {
  const daemon = { pid: 1, version: '1', startedAt: NOW.toISOString(), uptimeMs: 1, home: '/m' }
  const diskIn = async (ageMs: number) => {
    const disk = { usedBytes: 2_000_000, freeBytes: 9_000_000, ageMs }
    const status = {
      daemon: { ...daemon, containment: 'process-group', disk },
      ...{ jobs: [], sessions: [], waiting: [] },
    }
    return (await run(() => status, ['status'])).out.split('\n').find((line) => line.startsWith('disk:'))
  }
  expect(await diskIn(1_000)).toMatch(/ used by the home, .* free$/)
  expect(await diskIn(125_000)).toMatch(/ free \(measured 2m05s ago\)$/)
})

it('prints until when a job waits for its daily budget', async () => {
  const daemon = { pid: 1, version: '1', startedAt: NOW.toISOString(), uptimeMs: 1, home: '/m' }
  const money = {
    id: SAMPLE_JOB_ID,
    jobId: SAMPLE_JOB_ID,
    waitsFor: 'money',
    why: 'the daily budget of $50.00 is spent',
    until: new Date(NOW.getTime() + 60_000).toISOString(),
    next: `muster show ${SAMPLE_JOB_ID}`,
  }
  const status = {
    daemon: { ...daemon, containment: 'process-group' },
    jobs: [sampleJob({ status: 'running' })],
    sessions: [],
    waiting: [money],
  }
  const printed = await run(() => status, ['status'])
  expect(printed.out).toMatch(/waiting until .*: the daily budget of \$50\.00 is spent/)
  expect(printed.out).not.toContain('waiting for you')
})

it('prints what is waiting in the status and the details of a job', async () => {
  const waiting = [
    {
      id: SAMPLE_APPROVAL_ID,
      waitsFor: 'person',
      why: 't1-1 "grow a tree" wants to land',
      next: `muster approve ${SAMPLE_APPROVAL_ID}`,
    },
    {
      id: SAMPLE_JOB_ID,
      waitsFor: 'money',
      why: 'the daily budget of $50.00 is spent',
      until: new Date(NOW.getTime() + 60_000).toISOString(),
      next: `muster show ${SAMPLE_JOB_ID}`,
    },
  ] as const
  const job = sampleJob({ status: 'running', waiting: [...waiting] })
  const answers = (_method: string, path: string) => (path === '/api/tasks' ? { items: [] } : job)
  for (const command of ['status', 'show']) {
    const printed = await run(answers, [command, SAMPLE_JOB_ID])
    expect(printed.code).toBe(0)
    expect(printed.out).toMatch(
      /waiting for you: t1-1 "grow a tree" wants to land \(apr_\w+\)\n +try: muster .*approve apr_/,
    )
    expect(printed.out).toMatch(/waiting until \d\d:\d\d: the daily budget of \$50\.00 is spent/)
    expect(printed.out).not.toContain('details: muster')
  }
})

it('shows what waits for the person directly below the tasks of a job', async () => {
  const id = SAMPLE_JOB_ID
  const why = 'check "npm test" already fails on main at 1a2b3c4d5e'
  const base = { id, jobId: id, waitsFor: 'person', why, next: `muster base ${id}` } as const
  const job = sampleJob({ status: 'running', waiting: [base] })
  const answers = (_method: string, path: string) => (path === '/api/tasks' ? { items: [] } : job)
  const { out } = await run(answers, ['show', id])
  expect(out).toMatch(/nothing has landed yet.*\nwaiting for you: check "npm test" .*\n +try: muster .*base/)
  expect(out.indexOf('waiting for you')).toBeLessThan(out.indexOf('repository'))
})

it('names the work that a cancelled job left, and the command that restores it', async () => {
  const work = {
    id: 'att_0123456789abcdefghij',
    task: 't1-1',
    title: 'Grow a tree',
    agent: 'ada',
    repositoryPath: '/srv/project',
    status: 'unlanded',
    reason: 'the job was cancelled',
    at: NOW.toISOString(),
    commit: 'c'.repeat(40),
    base: 'b'.repeat(40),
  }
  const job = sampleJob({ status: 'cancelled', reason: undefined })
  const answers = (_method: string, path: string) => {
    if (path === '/api/pinned') return { items: [work] }
    return path === '/api/tasks' ? { items: [] } : job
  }
  for (const command of ['show', 'cancel']) {
    const { out } = await run(answers, [command, SAMPLE_JOB_ID])
    expect(out).toMatch(
      /work that did not land is kept:\n {2}t1-1 {2}Grow a tree\ntry: muster .*recover job_/,
    )
    expect(out).not.toMatch(/muster .*logs/)
  }
})

it('does not show the first goal of a new job as an edit', async () => {
  const goal = { kind: 'goal', author: 'person', createdAt: NOW.toISOString(), text: 'Grow' } as const
  const shown = async (number: number, currentCycle: number) => {
    const job = sampleJob({ currentCycle, waitingDocuments: [{ ...goal, number }] })
    return (await run((_, path) => (path === '/api/tasks' ? { items: [] } : job), ['show', SAMPLE_JOB_ID]))
      .out
  }
  expect(await shown(1, 0)).not.toContain('for the next cycle')
  expect(await shown(2, 0)).toContain('goal (version 2), for the next cycle')
})
