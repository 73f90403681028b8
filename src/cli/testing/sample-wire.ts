import type {
  WireApproval,
  WireJob,
  WireLanding,
  WireNamedRecord,
  WireNames,
  WireSession,
  WireTask,
} from '../../client/index.ts'
import { eventSchema, type KnownEvent, type WireEventOf } from '../../contract/event.ts'

export const SAMPLE_AT = '2026-01-02T03:04:05.000Z'
const BODY = '0123456789abcdefghij'

export const SAMPLE_JOB_ID = `job_${BODY}`
export const SAMPLE_TASK_ID = `tsk_${BODY}`
export const SAMPLE_SESSION_ID = `ses_${BODY}`
export const SAMPLE_APPROVAL_ID = `apr_${BODY}`

type EventRest = Partial<Pick<KnownEvent, 'seq' | 'at' | 'cycle' | 'taskId' | 'sessionId'>> & {
  readonly data?: Readonly<Record<string, unknown>>
}

const OF_LANDING = { number: 1, landingId: `lnd_${BODY}` }

/** The default data of each event. */
const SAMPLE_DATA: Readonly<Partial<Record<KnownEvent['type'], object>>> = {
  job_started: { cycle: 0, workingBranch: 'muster/job' },
  job_completed: { cycles: 1, totalTasks: 1, summary: 'done', evidence: [] },
  cycle_started: { phase: 'discovery' },
  cycle_tasks_discovered: {
    tasks: [],
    reasoning: '',
    blockers: [],
    repeats: [],
    coupled: [],
    yields: [],
  },
  task_started: {
    number: 1,
    description: 'Fix it',
    agent: 'ada',
    attempt: 1,
    agentSessionId: SAMPLE_SESSION_ID,
  },
  task_completed: { ...OF_LANDING, commit: 'b'.repeat(40), filesModified: [] },
  task_failed: { number: 1, status: 'failed' },
  agent_message: { agent: 'ada', role: 'worker' },
  landing_checking: { ...OF_LANDING, candidateId: `cnd_${BODY}`, commit: 'b'.repeat(40) },
  session_suspended: { role: 'worker', agent: 'ada', reason: 'quota' },
  approval_requested: { agent: 'ada', digest: 'd'.repeat(64), expiresAt: SAMPLE_AT },
  approval_decided: { digest: 'd'.repeat(64) },
}

/** A valid event. */
export function sampleEvent<Type extends KnownEvent['type']>(
  type: Type,
  { data, ...rest }: EventRest = {},
): WireEventOf<Type> {
  const all = { seq: 1, type, jobId: SAMPLE_JOB_ID, at: SAMPLE_AT, ...rest }
  return eventSchema.parse({ ...all, data: { ...SAMPLE_DATA[type], ...data } }) as WireEventOf<Type>
}

export function sampleJob(rest: Partial<WireJob> = {}): WireJob {
  return {
    id: SAMPLE_JOB_ID,
    projectId: `prj_${BODY}`,
    userId: 'person',
    repositoryPath: '/srv/project',
    repositoryName: 'project',
    baseBranch: 'main',
    baseCommit: 'a'.repeat(40),
    workingBranch: 'muster/job',
    title: 'Make it work',
    status: 'completed',
    pausing: false,
    reason: 'goal-reached',
    currentCycle: 2,
    activeMs: 65_000,
    errorCount: 0,
    version: 1,
    createdAt: SAMPLE_AT,
    updatedAt: SAMPLE_AT,
    requestDocument: 'Make it work',
    taskList: '',
    requestedTasks: '',
    waitingDocuments: [],
    spentUsd: 0,
    mode: 'auto',
    evidence: [],
    agents: [],
    worker: 'ada',
    planner: 'pia',
    checks: ['node --test'],
    limits: { maxParallelTasks: 3, attemptMinutes: 30, maxAttempts: 3 },
    ...rest,
  }
}

export function sampleTask(rest: Partial<WireTask> = {}): WireTask {
  return {
    id: SAMPLE_TASK_ID,
    jobId: SAMPLE_JOB_ID,
    cycleId: `cyc_${BODY}`,
    cycleNumber: 1,
    number: 1,
    description: 'Fix the first thing',
    context: '',
    files: [],
    parallel: true,
    priority: 'P1',
    successCriteria: [],
    dependsOn: [],
    after: [],
    clauses: [],
    origin: { type: 'planned' },
    branch: 'muster/job--t1-1',
    status: 'completed',
    retryCount: 0,
    rounds: 0,
    criteria: [],
    filesModified: [],
    commitsMade: [],
    version: 1,
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

export function sampleLanding(rest: Partial<WireLanding> = {}): WireLanding {
  return {
    id: `lnd_${BODY}`,
    jobId: SAMPLE_JOB_ID,
    taskId: SAMPLE_TASK_ID,
    attemptId: `att_${BODY}`,
    branch: 'muster/job--t1-1',
    tip: 'b'.repeat(40),
    status: 'landed',
    batchLimit: 8,
    tree: 'c'.repeat(40),
    checks: [{ command: 'node --test', passed: true, detail: '', tree: 'c'.repeat(40) }],
    version: 1,
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

export function sampleSession(rest: Partial<WireSession> = {}): WireSession {
  return {
    id: SAMPLE_SESSION_ID,
    purpose: {
      type: 'personal',
      projectId: `prj_${BODY}`,
      repositoryPath: '/srv/project',
      branch: 'muster/mine',
      baseCommit: 'a'.repeat(40),
    },
    agent: 'ada',
    provider: 'claude-code',
    role: 'worker',
    mode: 'headless',
    status: 'running',
    processNumber: 1,
    pid: 42,
    openTurns: 1,
    providerSessionId: 'conversation-1',
    resumable: false,
    askable: true,
    usage: { inputTokens: 12_345, outputTokens: 678, costUsd: 0.05 },
    contextTokens: 50_000,
    contextWindow: 200_000,
    sandbox: 'bubblewrap',
    outputBytes: 10,
    errorBytes: 0,
    version: 1,
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

/** The answer about names: what a text names, with ids of four characters. */
export function sampleNames(...items: readonly Partial<WireNamedRecord>[]): WireNames {
  return {
    lengths: {
      project: 4,
      job: 4,
      task: 4,
      attempt: 4,
      session: 4,
      landing: 4,
      run: 4,
      approval: 4,
      'approval-rule': 4,
      message: 4,
    },
    items: items.map((item) => ({
      kind: 'job',
      id: SAMPLE_JOB_ID,
      by: 'short-id',
      title: 'Make it work',
      ...item,
    })),
  }
}

export function sampleApproval(rest: Partial<WireApproval> = {}): WireApproval {
  return {
    id: SAMPLE_APPROVAL_ID,
    sessionId: SAMPLE_SESSION_ID,
    agent: 'ada',
    role: 'worker',
    processNumber: 1,
    requestId: 'request-1',
    digest: 'd'.repeat(64),
    action: { type: 'tool-use', tool: 'Bash', input: { command: 'rm -rf build' }, directory: '/trees/one' },
    summary: 't1-1 wants to run: rm -rf build',
    task: 't1-1',
    unusual: ['deletes recursively'],
    scopes: {
      job: 'may always run: rm -rf build, in this job',
      session: 'may run any command with Bash without asking, until its session ends',
    },
    status: 'pending',
    version: 1,
    createdAt: SAMPLE_AT,
    expiresAt: '2026-01-02T04:04:05.000Z',
    ...rest,
  }
}
