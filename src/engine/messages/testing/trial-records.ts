import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { Cycle } from '../../../domain/cycle/cycle.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Session } from '../../../domain/session/session.ts'
import { NO_TALK } from '../../../domain/session/talk.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Ids } from '../../../ports/ids.ts'
import type { Change } from '../../../ports/store/change.ts'
import type { Store } from '../../../ports/store/store.ts'

type Needs = { readonly store: Store; readonly ids: Ids }

const CHANGE: Change = { audit: { actor: 'engine', action: 'trial', subject: 'trial', detail: {} } }

/** A running job with a cycle and a task, stored. */
export async function storeTrialJob(needs: Needs, baseCommit = 'a'.repeat(40)) {
  const { store, ids } = needs
  const now = new Date()
  const projectId = ids.next('project')
  const id = ids.next('job')
  const agents = ['builder', 'critic'].map((name) => ({
    name,
    provider: 'command',
    roles: name === 'builder' ? ['worker', 'planner'] : ['reviewer'],
    env: {},
  }))
  const job: Job = {
    id,
    projectId,
    userId: 'local',
    repositoryPath: '/nowhere',
    baseBranch: 'main',
    baseCommit,
    workingBranch: `muster/${id}`,
    requestDocument: 'grow a tree',
    taskList: '',
    wantedTasks: '',
    plan: {
      agents,
      worker: 'builder',
      planner: 'builder',
      checks: [],
      limits: { maxParallelTasks: 3, attemptMinutes: 30, maxAttempts: 2 },
    },
    state: { type: 'running', pausing: false },
    currentCycle: 1,
    activeMs: 0,
    errorCount: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const cycle: Cycle = {
    id: ids.next('cycle'),
    jobId: id,
    number: 1,
    phase: 'execution',
    tasksDiscovered: 1,
    tasksLaunched: 1,
    tasksCompleted: 0,
    tasksFailed: 0,
    blockers: [],
    version: 1,
    startedAt: now,
  }
  const task = trialTask(needs, cycle)
  await store.transact(async (records) => {
    await records.projects.ensure({ id: projectId, path: `/nowhere/${id}`, name: 'nowhere', createdAt: now })
    await records.jobs.insert(job, CHANGE)
    await records.cycles.insert(cycle, CHANGE)
    await records.tasks.insertAll([task], CHANGE)
  })
  return { job, cycle, task }
}

export type TrialJob = Awaited<ReturnType<typeof storeTrialJob>>

/** A live session of an attempt at the job's task, or of its discovery when it is not a worker, stored. */
export async function storeTrialSession(
  needs: Needs,
  { job, cycle, task }: TrialJob,
  overrides: Partial<Session> & { readonly number?: number } = {},
): Promise<Session> {
  const { number = 1, ...fields } = overrides
  const now = new Date()
  const attemptId = needs.ids.next('attempt')
  const session: Session = {
    id: needs.ids.next('session'),
    jobId: job.id,
    purpose: { type: 'attempt', attemptId },
    agentName: 'builder',
    provider: 'command',
    role: 'worker',
    mode: 'headless',
    state: { type: 'running', pid: 1, startTime: '1' },
    life: 1,
    outOffset: 0,
    errOffset: 0,
    talk: NO_TALK,
    version: 1,
    createdAt: now,
    ...fields,
  }
  const attempt: Attempt = {
    id: attemptId,
    jobId: job.id,
    purpose:
      session.role === 'worker'
        ? { type: 'task', taskId: task.id }
        : { type: 'discovery', cycleId: cycle.id },
    role: session.role === 'worker' ? 'worker' : 'planner',
    number,
    agent: { name: session.agentName, provider: 'command', roles: [], env: {} },
    sessionId: session.id,
    // Settled, so that many of them can be there at once.
    state: { type: 'settled', outcome: { type: 'accepted' } },
    baseCommit: job.baseCommit,
    handoffs: [],
    version: 1,
    createdAt: now,
  }
  await needs.store.transact(async (records) => {
    await records.attempts.insert(attempt, CHANGE)
    await records.sessions.insert(session, CHANGE)
  })
  return session
}

/** Stores that a session is over. */
export async function endTrialSession(needs: Needs, session: Session): Promise<void> {
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current === undefined) return
    const state = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await records.sessions.save({ ...current, state }, CHANGE)
  })
}

function trialTask({ ids }: Needs, cycle: Cycle): Task {
  return {
    id: ids.next('task'),
    jobId: cycle.jobId,
    cycleId: cycle.id,
    cycleNumber: 1,
    number: 1,
    description: 'plant it',
    context: '',
    files: [],
    parallel: true,
    priority: 'P1',
    successCriteria: [],
    dependsOn: [],
    after: [],
    clauses: [],
    origin: { type: 'planned' },
    branch: `trial--${cycle.id}`,
    state: { type: 'pending' },
    retryCount: 0,
    rounds: 0,
    criteria: [],
    filesModified: [],
    commitsMade: [],
    version: 1,
    createdAt: new Date(),
  }
}
