import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireSession } from '../client/index.ts'
import { runCli } from './run-cli.ts'
import {
  SAMPLE_APPROVAL_ID,
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  SAMPLE_TASK_ID,
  sampleApproval,
  sampleJob,
  sampleSession,
  sampleTask,
} from './testing/sample-wire.ts'
import { openStandInApi } from './testing/stand-in-api.ts'
import { testSurroundings } from './testing/test-surroundings.ts'

const QUESTION_ID = 'msg_0123456789abcdefghij'
const NOW = new Date('2026-01-02T03:14:05.000Z')

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  writeFileSync(join(directory.path, 'token'), 'secret\n')
})

afterEach(() => directory[Symbol.asyncDispose]())

async function tell(answers: (method: string, path: string) => unknown, words: readonly string[]) {
  await using api = await openStandInApi({ answers })
  const surroundings = testSurroundings({ cwd: directory.path, now: () => NOW })
  const code = await runCli(surroundings, [...words, '--server', api.url, '--home', directory.path])
  return { code, out: surroundings.stdoutText(), err: surroundings.stderrText(), bodies: api.bodies }
}

const question = {
  id: QUESTION_ID,
  from: SAMPLE_SESSION_ID,
  to: 'person',
  kind: 'question',
  subject: '',
  body: 'which one?',
  metadata: {},
  status: 'queued',
  createdAt: NOW.toISOString(),
}

function messagesFor(session: WireSession) {
  return (method: string, path: string) => {
    if (path.startsWith('/api/sessions/')) return session
    return method === 'POST' ? { ...question, kind: 'answer', to: session.id } : { items: [question] }
  }
}

it('answers a question by the beginning of its id', async () => {
  const told = await tell(messagesFor(sampleSession()), ['answer', 'msg_0123', 'the second'])
  expect(told).toMatchObject({ code: 0, bodies: [{ inReplyTo: QUESTION_ID, body: 'the second' }] })
})

it('does not answer, or offer to answer, a session that is over', async () => {
  const over = messagesFor(sampleSession({ status: 'terminated' }))
  const told = await tell(over, ['answer', '0123', 'the second'])
  expect(told).toMatchObject({ code: 3, bodies: [] })
  expect(told.err).toMatch(/nobody hears the answer any more\n +why: the session ended/)
  expect((await tell(over, ['messages'])).out).not.toContain('answer it')
  expect((await tell(messagesFor(sampleSession()), ['messages'])).out).toContain('answer it')
})

it('says where the questions are when there is no such one', async () => {
  const told = await tell(messagesFor(sampleSession()), ['answer', 'msg_zzz', 'x'])
  expect(told.code).toBe(2)
  expect(told.err).toMatch(/try: muster .*messages --questions/)
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
      reason: '4 of 4 sessions of this project run',
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

it('says of a task in the status of a job whom or what it waits for', async () => {
  const place = { jobId: SAMPLE_JOB_ID, taskId: SAMPLE_TASK_ID }
  const asking = await tell(jobWith(sampleSession(place)), ['status', SAMPLE_JOB_ID])
  expect(asking.out).toMatch(new RegExp(`waits for you: muster .*approve ${SAMPLE_APPROVAL_ID}\n`))
  const rest = { why: 'limited', reason: '', isOver: true, isResuming: false } as const
  const suspended = { ...rest, until: NOW.toISOString() }
  const limited = sampleSession({ ...place, status: 'suspended', suspended })
  const waiting = await tell(jobWith(limited), ['status', SAMPLE_JOB_ID])
  expect(waiting.out).toMatch(/running .*\n +waits for quota until \d\d:\d\d\n/)
  expect(waiting.out).toMatch(/pending .*\n +waits: 4 of 4 sessions of this project run\n/)
})

it('says that a job rests for want of money, and until when', async () => {
  const daemon = { pid: 1, version: '1', startedAt: NOW.toISOString(), uptimeMs: 1, home: '/m' }
  const money = {
    id: SAMPLE_JOB_ID,
    jobId: SAMPLE_JOB_ID,
    waitsFor: 'money',
    why: 'the $50.00 that a day may cost are spent',
    until: new Date(NOW.getTime() + 60_000).toISOString(),
    next: `muster show ${SAMPLE_JOB_ID}`,
  }
  const status = {
    daemon: { ...daemon, containment: 'process-group' },
    jobs: [sampleJob({ status: 'running' })],
    sessions: [],
    waiting: [money],
  }
  const told = await tell(() => status, ['status'])
  expect(told.out).toMatch(/rests until .*: the \$50\.00 that a day may cost are spent/)
  expect(told.out).not.toContain('waits for you')
})

it('says in the status of one job, and where it is shown, what of it waits', async () => {
  const waiting = [
    {
      id: SAMPLE_APPROVAL_ID,
      waitsFor: 'person',
      why: 'wants to land: grow a tree',
      next: `muster approve ${SAMPLE_APPROVAL_ID}`,
    },
    {
      id: SAMPLE_JOB_ID,
      waitsFor: 'money',
      why: 'the $50.00 that a day may cost are spent',
      until: new Date(NOW.getTime() + 60_000).toISOString(),
      next: `muster show ${SAMPLE_JOB_ID}`,
    },
  ] as const
  const job = sampleJob({ status: 'running', waiting: [...waiting] })
  const answers = (_method: string, path: string) => (path === '/api/tasks' ? { items: [] } : job)
  for (const command of ['status', 'show']) {
    const told = await tell(answers, [command, SAMPLE_JOB_ID])
    expect(told.code).toBe(0)
    expect(told.out).toMatch(
      /waits for you apr_\w+: wants to land: grow a tree\n +try: muster .*approve apr_/,
    )
    expect(told.out).toMatch(/rests until \d\d:\d\d: the \$50\.00 that a day may cost are spent/)
    expect(told.out).not.toContain('more: muster')
  }
})

it('does not take the goal of a job that has not begun for an edit', async () => {
  const goal = { kind: 'goal', author: 'person', createdAt: NOW.toISOString(), text: 'Grow' } as const
  const shown = async (number: number, currentCycle: number) => {
    const job = sampleJob({ currentCycle, waitingDocuments: [{ ...goal, number }] })
    return (await tell((_, path) => (path === '/api/tasks' ? { items: [] } : job), ['show', SAMPLE_JOB_ID]))
      .out
  }
  expect(await shown(1, 0)).not.toContain('for the next cycle')
  expect(await shown(2, 0)).toContain('goal (version 2), for the next cycle')
})
