import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireJob, WireStartJobRequest } from '../../src/client/index.ts'
import { eventSchema, type KnownEvent } from '../../src/contract/event.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary-directory.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()
let signals: TemporaryDirectory

beforeAll(async () => {
  signals = await temporaryDirectory('muster-signal')
})

afterAll(() => signals[Symbol.asyncDispose]())

type Begun = AsyncDisposable & { readonly id: string; readonly repository: TestRepository }

async function begin(
  tasks: readonly ShellTask[],
  request: Partial<WireStartJobRequest> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Begun> {
  const repository = await testRepository({ ...shellProject(tasks), ...files })
  const id = await startJob(shared.client, repository, { requestDocument: 'Have a file.', ...request })
  return { id, repository, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

async function hasEvent(id: string, type: string): Promise<boolean> {
  const page = await shared.client.listEvents(id, { limit: 200 })
  return page.ok && page.value.items.some((event) => event.type === type)
}

async function jobOf(id: string): Promise<WireJob> {
  return take(await shared.client.getJob(id))
}

/** All events of a job as the daemon sends them. Each must have a known type and exactly the fields of that type. */
async function exactEventsOf(id: string): Promise<readonly KnownEvent[]> {
  const { url } = JSON.parse(await readFile(join(shared.home.home, 'daemon.json'), 'utf8')) as { url: string }
  const token = (await readFile(join(shared.home.home, 'token'), 'utf8')).trim()
  const response = await fetch(`${url}/api/orchestrator/${id}/events?limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await response.json()) as { data: { items: readonly unknown[] } }
  const events = data.items.map((item) => eventSchema.parse(item))
  expect(events).toEqual(data.items)
  return events
}

/** Expects at least one event of each of these types, and these fields in every event of the type. */
function expectEvents(
  events: readonly KnownEvent[],
  wanted: Readonly<Partial<Record<KnownEvent['type'], object>>>,
): void {
  for (const [type, fields] of Object.entries(wanted)) {
    const found = events.filter((event) => event.type === type)
    expect(found, type).not.toEqual([])
    for (const event of found) expect(event, type).toMatchObject(fields)
  }
}

describe('the stream of a job', () => {
  it('has every event of the job with exactly its fields, also after a pause', async () => {
    const go = join(signals.path, 'go')
    await using job = await begin([
      {
        description: 'write the file',
        script: `while [ ! -e ${go} ]; do sleep 0.05; done; ${commitFile('one.txt', 'one')}; echo '{"type":"result","summary":"I wrote it"}'`,
      },
      { description: 'fail at it', script: 'echo "cannot" >&2; exit 3' },
    ])
    await until(() => hasEvent(job.id, 'task_started'))
    expect((await shared.client.pauseJob(job.id)).ok).toBe(true)
    await writeFile(go, '')
    await until(async () => (await jobOf(job.id)).status === 'paused')
    expect((await shared.client.resumeJob(job.id)).ok).toBe(true)
    const ended = await waitForJob(shared.client, job.id)
    const events = await exactEventsOf(job.id)
    const ofJob = { jobId: job.id }
    const ofTask = { ...ofJob, cycle: 1, taskId: expect.stringMatching(/^tsk_/) }
    const ofSession = { sessionId: expect.stringMatching(/^ses_/) }
    expectEvents(events, {
      job_started: { ...ofJob, cycle: 0 },
      job_paused: { ...ofJob, cycle: 1 },
      job_resumed: { ...ofJob, cycle: 1 },
      job_completed: {
        ...ofJob,
        data: { cycles: 2, totalTasks: 2, summary: ended.summary, reason: 'goal-reached' },
      },
      cycle_started: { ...ofJob, data: { phase: 'discovery' } },
      cycle_phase: ofJob,
      cycle_tasks_discovered: {
        ...ofJob,
        cycle: 1,
        data: { tasks: [{ description: 'write the file' }, { description: 'fail at it' }] },
      },
      cycle_completed: ofJob,
      task_started: { ...ofTask, ...ofSession },
      task_progress: ofTask,
      task_completed: { ...ofTask, data: { summary: 'I wrote it', filesModified: ['one.txt'] } },
      task_failed: ofTask,
      agent_message: { ...ofJob, ...ofSession, cycle: expect.any(Number) },
      landing_queued: ofTask,
      landing_landed: ofTask,
      session_started: { ...ofJob, ...ofSession },
      session_ended: { ...ofJob, ...ofSession },
      document_applied: { ...ofJob, data: { kind: 'goal', number: 1, cycle: 1 } },
    })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    for (const { sessionId, ...event } of events) {
      if (event.type === 'agent_message') expect(event.data.agentSessionId).toBe(sessionId)
    }
    expect(events.find(({ type }) => type === 'cycle_completed')).toMatchObject({
      data: {
        tasksCompleted: 1,
        tasksFailed: 1,
        summary: expect.stringContaining('the agent said: "I wrote it"'),
      },
    })
  })

  it('shows why a job was cancelled or failed', async () => {
    await using cancelled = await begin([{ description: 'wait', script: 'sleep 300' }])
    await using broken = await begin([], {}, { 'tools/planner.sh': '#!/bin/sh\necho nonsense\n' })
    await until(() => hasEvent(cancelled.id, 'task_started'))
    await shared.client.cancelJob(cancelled.id, { reason: 'enough' })
    expectEvents(await exactEventsOf(cancelled.id), { job_cancelled: { data: { reason: 'enough' } } })
    expect(await waitForJob(shared.client, broken.id)).toMatchObject({ status: 'error' })
    expectEvents(await exactEventsOf(broken.id), { job_error: {} })
  })
})

describe('the budget of a job', () => {
  it('stops running agents that exceed it, lets finished work land, and ends the job', async () => {
    const used = (costUsd: number) =>
      `echo '${JSON.stringify({ type: 'usage', inputTokens: 1, outputTokens: 1, costUsd })}'`
    await using job = await begin(
      [
        { description: 'write the file', script: `${used(0.5)}; ${commitFile('one.txt', 'one')}` },
        {
          description: 'spend it all',
          script: `${used(0.2)}; ${used(0.4)}; sleep 300`,
          extra: { dependsOn: [1] },
        },
        { description: 'come too late', script: commitFile('two.txt', 'two'), extra: { dependsOn: [2] } },
      ],
      { budgetUsd: 1, user: 'ada' },
    )
    const ended = await waitForJob(shared.client, job.id)
    expect(ended).toMatchObject({ status: 'completed', reason: 'budget-reached', userId: 'ada' })
    expect(ended.spentUsd).toBeCloseTo(1.1)
    const events = await exactEventsOf(job.id)
    expect(events.filter(({ type }) => type === 'budget_reached')).toHaveLength(1)
    expectEvents(events, { budget_reached: { jobId: job.id, data: { budgetUsd: 1 } } })
    expect(await job.repository.git('show', `${ended.workingBranch}:one.txt`)).toBe('one')
    expect(JSON.stringify(await tasksOf(shared.client, job.id))).toContain('the budget of $1.00 was reached')
    const mine = await shared.client.listJobs({ user: 'ada', status: 'completed' })
    expect(mine.ok && mine.value.items.map(({ id }) => id)).toEqual([job.id])
  })
})

describe('an edit of the goal', () => {
  it('reaches the planner of the next cycle, and keeps the job from ending before that', async () => {
    const go = join(signals.path, 'edited')
    const plan = (description: string) =>
      JSON.stringify({
        type: 'result',
        tasks: [{ description, files: [], parallel: true, priority: 'P1' }],
        done: false,
      })
    const planner = [
      '#!/bin/sh',
      `if [ "$MUSTER_CYCLE" = 1 ]; then echo '${plan('write the file')}'; exit 0; fi`,
      `if [ "$MUSTER_CYCLE" = 2 ]; then while [ ! -e ${go} ]; do sleep 0.05; done; fi`,
      `if [ "$MUSTER_CYCLE" = 3 ]; then grep -q 'two files' "$MUSTER_PROMPT_FILE" && grep -q 'call it two' "$MUSTER_PROMPT_FILE" && echo '${plan('write another')}'; exit 0; fi`,
      `echo '{"type":"result","tasks":[],"done":true,"evidence":["there"]}'`,
    ].join('\n')
    await using job = await begin(
      [
        { description: 'write the file', script: commitFile('one.txt', 'one') },
        { description: 'write another', script: commitFile('two.txt', 'two') },
      ],
      {},
      { 'tools/planner.sh': `${planner}\n` },
    )
    await until(async () => (await jobOf(job.id)).currentCycle === 2)
    expect((await shared.client.editGoal(job.id, 'Have two files.')).ok).toBe(true)
    const edited = await shared.client.editTaskList(job.id, 'call it two')
    expect(edited).toMatchObject({
      value: {
        requestDocument: 'Have a file.',
        waitingDocuments: [
          { kind: 'goal', number: 2 },
          { kind: 'task-list', number: 1 },
        ],
      },
    })
    await writeFile(go, '')
    const ended = await waitForJob(shared.client, job.id)
    expect(ended).toMatchObject({
      reason: 'goal-reached',
      currentCycle: 4,
      requestDocument: 'Have two files.',
      requestedTasks: 'call it two',
      waitingDocuments: [],
    })
    const list = await job.repository.git('show', `${ended.workingBranch}:TASKLIST.md`)
    expect(list).toContain('## Requested\n\n> call it two\n')
    expect((await shared.client.editGoal(job.id, 'More.')).ok).toBe(false)
    const history = await shared.client.listDocuments(job.id, { kind: 'goal' })
    expect(history).toMatchObject({
      value: {
        items: [
          { number: 2, cycle: 3 },
          { number: 1, cycle: 1 },
        ],
      },
    })
  })
})
