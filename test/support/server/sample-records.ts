import type { AgentSpec } from '../../../src/domain/agent/agent-spec.ts'
import type { Approval } from '../../../src/domain/approval/approval.ts'
import type { Attempt } from '../../../src/domain/attempt/attempt.ts'
import type { Cycle } from '../../../src/domain/cycle/cycle.ts'
import { formatId, type Id, type IdKind } from '../../../src/domain/id.ts'
import type { Job } from '../../../src/domain/job/job.ts'
import type { JobDocument } from '../../../src/domain/job/job-document.ts'
import type { Landing } from '../../../src/domain/landing/landing.ts'
import { NO_CONVERSATION } from '../../../src/domain/session/conversation-state.ts'
import { USUAL_SANDBOX } from '../../../src/domain/session/sandbox-policy.ts'
import type { Session } from '../../../src/domain/session/session.ts'
import type { Task } from '../../../src/domain/task/task.ts'
import type { Project } from '../../../src/ports/store/project-records.ts'
import { exampleCycle, exampleJob, exampleSession, exampleTask } from '../example-records.ts'

export const NOW = new Date('2026-05-01T12:00:00.000Z')

/** An id that is the same in every run. */
export function sampleId<Kind extends IdKind>(kind: Kind, number = 0): Id<Kind> {
  return formatId(kind, NOW.getTime() + number, new Uint8Array(11))
}

export const sampleAgent: AgentSpec = {
  name: 'mine',
  provider: 'command',
  roles: ['worker', 'planner'],
  env: ['API_KEY'],
  command: ['node', 'agent.mjs'],
}

export function sampleJob(fields: Partial<Job> = {}): Job {
  return exampleJob({
    id: sampleId('job'),
    projectId: sampleId('project'),
    repositoryPath: '/home/someone/garden',
    baseCommit: 'b'.repeat(40),
    workingBranch: 'muster/work',
    requestDocument: '# Grow a tree\n\nWith leaves.',
    plan: {
      agents: [sampleAgent],
      worker: 'mine',
      planner: 'mine',
      checks: ['true'],
      limits: { maxParallelTasks: 3, attemptMinutes: 30, maxAttempts: 3 },
    },
    state: { type: 'running', pausing: false },
    currentCycle: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...fields,
  })
}

export function sampleDocument(fields: Partial<JobDocument> = {}): JobDocument {
  return {
    jobId: sampleId('job'),
    kind: 'goal',
    number: 1,
    text: '# Grow a tree\n\nWith leaves.',
    author: 'person',
    createdAt: NOW,
    cycle: 1,
    ...fields,
  }
}

export const sampleProject: Project = {
  id: sampleId('project'),
  path: '/home/someone/garden',
  name: 'garden',
  createdAt: NOW,
}

export const sampleCycle: Cycle = exampleCycle(sampleJob(), {
  id: sampleId('cycle'),
  tasksDiscovered: 1,
  tasksLaunched: 1,
  startedAt: NOW,
})

export function sampleTask(number: number, fields: Partial<Task> = {}): Task {
  return exampleTask(sampleCycle, {
    id: sampleId('task', number),
    number,
    description: `plant seed ${number}`,
    files: ['seed.txt'],
    successCriteria: ['it grows'],
    branch: `muster/work--t1-${number}`,
    state: { type: 'blocked', reason: 'conflicts in seed.txt', paths: ['seed.txt'] },
    retryCount: 1,
    lastFailure: 'it did not grow',
    createdAt: NOW,
    ...fields,
  })
}

export const sampleAttempt: Attempt = {
  id: sampleId('attempt'),
  jobId: sampleId('job'),
  purpose: { type: 'task', taskId: sampleId('task', 1) },
  role: 'worker',
  number: 1,
  agent: sampleAgent,
  sessionId: sampleId('session'),
  state: { type: 'settled', outcome: { type: 'rejected', reason: 'nothing changed' } },
  handoffs: [],
  version: 1,
  createdAt: NOW,
}

export function sampleSession(fields: Partial<Session> = {}): Session {
  return exampleSession(sampleJob(), {
    id: sampleId('session'),
    purpose: { type: 'attempt', attemptId: sampleId('attempt') },
    agentName: 'mine',
    state: { type: 'running', pid: 4711, startTime: '1' },
    containment: 'pid-namespace',
    outOffset: 10,
    createdAt: NOW,
    ...fields,
  })
}

/** A personal session that has answered and is idle. */
export function personalSession(fields: Partial<Session> = {}): Session {
  const { jobId: _, ...rest } = sampleSession()
  return {
    ...rest,
    id: sampleId('session', 1),
    purpose: {
      type: 'personal',
      projectId: sampleId('project'),
      repositoryPath: '/home/someone/garden',
      baseCommit: 'b'.repeat(40),
      branch: 'muster/mine',
      agent: sampleAgent,
      sandbox: USUAL_SANDBOX,
      prompt: 'a secret plan',
    },
    containment: 'process-group',
    conversation: {
      ...NO_CONVERSATION,
      providerSessionId: 'conversation-1',
      dialogue: { place: 3 },
      turn: { type: 'done', text: 'it grows' },
      usage: { inputTokens: 1200, outputTokens: 34, costUsd: 0.05 },
      contextTokens: 50,
      contextWindow: 200,
    },
    ...fields,
  }
}

export function sampleApproval(fields: Partial<Approval> = {}): Approval {
  return {
    id: sampleId('approval'),
    jobId: sampleId('job'),
    attemptId: sampleId('attempt'),
    asker: { type: 'session', sessionId: sampleId('session'), processNumber: 1, requestId: 'request-1' },
    digest: 'f'.repeat(64),
    action: { type: 'tool-use', tool: 'Bash', input: { command: 'rm -rf leaves' }, directory: '/trees/one' },
    state: { type: 'pending' },
    version: 1,
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 3_600_000),
    ...fields,
  }
}

export const sampleLanding: Landing = {
  id: sampleId('landing'),
  jobId: sampleId('job'),
  taskId: sampleId('task', 1),
  attemptId: sampleId('attempt'),
  branch: 'muster/work',
  tip: 'c'.repeat(40),
  state: { type: 'landed', commit: 'd'.repeat(40), tree: 'e'.repeat(40) },
  checks: [{ command: 'true', passed: true, detail: '', tree: 'e'.repeat(40) }],
  batchLimit: 8,
  version: 1,
  createdAt: NOW,
}
