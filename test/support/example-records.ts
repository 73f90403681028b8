import { createIds } from '../../src/daemon/system-ids.ts'
import { ROLE_FOR } from '../../src/domain/agent/built-in-roles.ts'
import type { LandingAction } from '../../src/domain/approval/approval-action.ts'
import type { Attempt } from '../../src/domain/attempt/attempt.ts'
import { type Cycle, newCycle } from '../../src/domain/cycle/cycle.ts'
import type { RunId, VisitId } from '../../src/domain/id.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { Run } from '../../src/domain/run/run.ts'
import type { Visit } from '../../src/domain/run/visit.ts'
import { NO_CONVERSATION } from '../../src/domain/session/conversation-state.ts'
import type { Session } from '../../src/domain/session/session.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { Change } from '../../src/ports/store/change.ts'
import type { Store } from '../../src/ports/store/store.ts'

export const ids = createIds()

export function exampleChange(action = 'example'): Change {
  return { audit: { actor: 'engine', action, subject: 'example', detail: {} } }
}

export function exampleLandingAction(): LandingAction {
  const [onto = '', commit = '', tree = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(40))
  return { type: 'landing', tasks: [], branch: 'b', onto, commit, tree, landingIds: [], directory: '/' }
}

export function exampleJob(overrides: Partial<Job> = {}): Job {
  const now = new Date()
  const id = overrides.id ?? ids.next('job')
  return {
    id,
    projectId: ids.next('project'),
    userId: 'local',
    repositoryPath: '/nowhere',
    baseBranch: 'main',
    baseCommit: 'a'.repeat(40),
    workingBranch: `muster/${id}`,
    requestDocument: 'make it better',
    taskList: '',
    requestedTasks: '',
    plan: {
      agents: [{ name: 'one', provider: 'command', roles: ['worker', 'planner'], env: [] }],
      worker: 'one',
      planner: 'one',
      checks: [],
      limits: { maxParallelTasks: 3, attemptMinutes: 30, maxAttempts: 2 },
    },
    state: { type: 'pending' },
    currentCycle: 0,
    activeMs: 0,
    errorCount: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  }
}

export function exampleCycle(job: Job, overrides: Partial<Cycle> = {}): Cycle {
  return {
    ...newCycle({ id: ids.next('cycle'), jobId: job.id, number: 1, startedAt: new Date() }),
    phase: 'execution',
    ...overrides,
  }
}

export function exampleTask(cycle: Cycle, overrides: Partial<Task> = {}): Task {
  const number = overrides.number ?? 1
  return {
    id: ids.next('task'),
    jobId: cycle.jobId,
    cycleId: cycle.id,
    cycleNumber: cycle.number,
    number,
    description: `task ${number}`,
    context: '',
    files: [],
    parallel: true,
    priority: 'P1',
    successCriteria: [],
    dependsOn: [],
    after: [],
    clauses: [],
    origin: { type: 'planned' },
    branch: `example--t1-${number}`,
    state: { type: 'pending' },
    retryCount: 0,
    rounds: 0,
    criteria: [],
    filesModified: [],
    commitsMade: [],
    version: 1,
    createdAt: new Date(),
    ...overrides,
  }
}

export function exampleSession(job: Job, overrides: Partial<Session> = {}): Session {
  return {
    id: ids.next('session'),
    jobId: job.id,
    purpose: { type: 'attempt', attemptId: ids.next('attempt') },
    agentName: 'one',
    provider: 'command',
    role: 'worker',
    mode: 'headless',
    state: { type: 'running', pid: 1, startTime: '1' },
    processNumber: 1,
    outOffset: 0,
    errOffset: 0,
    conversation: NO_CONVERSATION,
    version: 1,
    createdAt: new Date(),
    ...overrides,
  }
}

/** A person's text in a queue, to whoever the overrides name. */
export function exampleMessage(overrides: Partial<Message> = {}): Message {
  const id = overrides.id ?? ids.next('message')
  return {
    id,
    type: 'feedback',
    priority: 'normal',
    threadId: id,
    requiresResponse: false,
    sender: 'person',
    recipient: 'person',
    kind: 'text',
    subject: '',
    body: 'hello',
    metadata: {},
    state: { type: 'queued' },
    version: 1,
    createdAt: new Date(),
    ...overrides,
  } as Message
}

function roleFor(type: Attempt['purpose']['type']): string {
  return type === 'visit' ? 'developer' : ROLE_FOR[type]
}

/** A settled attempt at a task: a task can have any number of settled attempts. */
export function exampleAttempt(job: Job, overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: ids.next('attempt'),
    jobId: job.id,
    purpose: { type: 'task', taskId: ids.next('task') },
    role: roleFor(overrides.purpose?.type ?? 'task'),
    number: 1,
    agent: { name: 'one', provider: 'command', roles: [], env: [] },
    sessionId: ids.next('session'),
    state: { type: 'settled', outcome: { type: 'accepted' } },
    baseCommit: job.baseCommit,
    handoffs: [],
    version: 1,
    createdAt: new Date(),
    ...overrides,
  }
}

/** Stores a job with its project. */
export async function storeExampleJob(store: Store, overrides: Partial<Job> = {}): Promise<Job> {
  const job = exampleJob(overrides)
  return await store.transact(async (records) => {
    await records.projects.ensure({
      id: job.projectId,
      path: `/nowhere/${job.projectId}`,
      name: 'nowhere',
      createdAt: job.createdAt,
    })
    return records.jobs.insert(job, exampleChange('job-create'))
  })
}

export type ExampleTask = { readonly job: Job; readonly cycle: Cycle; readonly task: Task }

/** Stores a running job with a cycle and a task. Its agents are `one`, and `critic` to review. */
export async function storeExampleTask(store: Store, overrides: Partial<Job> = {}): Promise<ExampleTask> {
  const { plan } = exampleJob()
  const critic = { name: 'critic', provider: 'command', roles: ['reviewer'], env: [] }
  const job = await storeExampleJob(store, {
    plan: { ...plan, agents: [...plan.agents, critic] },
    state: { type: 'running', pausing: false },
    currentCycle: 1,
    ...overrides,
  })
  const cycle = exampleCycle(job)
  const task = exampleTask(cycle)
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
  })
  return { job, cycle, task }
}

/** Stores a running session with its attempt: at the task if it is a worker, and otherwise at the discovery. */
export async function storeExampleSession(
  store: Store,
  { job, cycle, task }: ExampleTask,
  overrides: Partial<Session> & { readonly number?: number } = {},
): Promise<Session> {
  const { number = 1, ...fields } = overrides
  const attemptId = ids.next('attempt')
  const session = exampleSession(job, { purpose: { type: 'attempt', attemptId }, ...fields })
  const attempt = exampleAttempt(job, {
    id: attemptId,
    number,
    purpose:
      session.role === ROLE_FOR.task
        ? { type: 'task', taskId: task.id }
        : { type: 'discovery', cycleId: cycle.id },
    sessionId: session.id,
  })
  await store.transact(async (records) => {
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  return session
}

/** Stores that a session has ended. */
export async function endExampleSession(store: Store, session: Session): Promise<void> {
  await store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current === undefined) return
    const state = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await records.sessions.save({ ...current, state }, exampleChange())
  })
}

export function exampleRun(task: Pick<Task, 'id' | 'jobId'>, overrides: Partial<Run> = {}): Run {
  return {
    id: ids.next('run'),
    jobId: task.jobId,
    taskId: task.id,
    playbook: { name: 'solo', hash: 'a'.repeat(64) },
    goal: 'make it better',
    inputs: {},
    cast: {},
    baseCommit: 'a'.repeat(40),
    counters: {},
    state: { type: 'running' },
    recoveries: 0,
    activeMs: 0,
    version: 1,
    createdAt: new Date(),
    ...overrides,
  }
}

/** A visit that is done. Its ID says where it is in its run. */
export function exampleVisit(overrides: Partial<Visit> = {}): Visit {
  const { ordinal = 1, stage = 'implement', branch = 0 } = overrides
  return {
    id: `${stage}-${ordinal}-${branch}` as VisitId,
    runId: 'run_1' as RunId,
    ordinal,
    stage,
    round: 1,
    branch,
    inputs: [],
    state: { type: 'settled', outcome: 'done' },
    recoveries: {},
    replaced: [],
    troubles: [],
    tries: 1,
    version: 1,
    createdAt: new Date(0),
    ...overrides,
  }
}
