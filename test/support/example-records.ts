import { createIds } from '../../src/daemon/system-ids.ts'
import type { Cycle } from '../../src/domain/cycle/cycle.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Session } from '../../src/domain/session/session.ts'
import { NO_TALK } from '../../src/domain/session/talk.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { Change } from '../../src/ports/store/change.ts'
import type { Store } from '../../src/ports/store/store.ts'

export const ids = createIds()

export function exampleChange(action = 'example'): Change {
  return { audit: { actor: 'engine', action, subject: 'example', detail: {} } }
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
    wantedTasks: '',
    plan: {
      agents: [{ name: 'one', provider: 'command', roles: ['worker', 'planner'], env: {} }],
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
    id: ids.next('cycle'),
    jobId: job.id,
    number: 1,
    phase: 'execution',
    tasksDiscovered: 0,
    tasksLaunched: 0,
    tasksCompleted: 0,
    tasksFailed: 0,
    blockers: [],
    version: 1,
    startedAt: new Date(),
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
    life: 1,
    outOffset: 0,
    errOffset: 0,
    talk: NO_TALK,
    version: 1,
    createdAt: new Date(),
    ...overrides,
  }
}

/** Stores a job with its project, and gives it back. */
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
