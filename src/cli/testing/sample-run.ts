import type { WireAttempt, WirePlaybook, WireRun } from '../../client/index.ts'
import { SAMPLE_AT, SAMPLE_JOB_ID, SAMPLE_TASK_ID } from './sample-wire.ts'

export const SAMPLE_RUN_ID = 'run_0mwzzzzzz9abc000000a'

type Visit = WireRun['visits'][number]

export function sampleVisit(rest: Partial<Visit> = {}): Visit {
  return {
    ...{ id: 'vis_1', ordinal: 1, stage: 'implement', round: 1, branch: 0, tries: 1 },
    status: 'settled',
    answer: undefined,
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

export function sampleRun(rest: Partial<WireRun> = {}): WireRun {
  return {
    id: SAMPLE_RUN_ID,
    jobId: SAMPLE_JOB_ID,
    taskId: SAMPLE_TASK_ID,
    playbook: 'reviewed',
    hash: 'h',
    inputs: {},
    baseCommit: 'c',
    counters: {},
    status: 'running',
    progress: 0.5,
    recoveries: 0,
    visits: [],
    errors: [],
    next: [],
    documents: [],
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

/** An attempt of a role at a visit of the sample run. */
export function sampleVisitAttempt(rest: Partial<WireAttempt> = {}): WireAttempt {
  return {
    id: 'att_1',
    jobId: SAMPLE_JOB_ID,
    cycleId: 'cyc_1',
    taskId: SAMPLE_TASK_ID,
    purpose: 'visit',
    runId: SAMPLE_RUN_ID,
    visitId: 'vis_1',
    role: 'developer',
    number: 1,
    agent: 'ada',
    provider: 'claude-code',
    sessionId: 'ses_1',
    status: 'settled',
    judges: false,
    handoffs: [],
    version: 1,
    createdAt: SAMPLE_AT,
    ...rest,
  }
}

/** A playbook with these roles, which all do the same. */
export function samplePlaybook(...roles: readonly string[]): WirePlaybook {
  const role = {
    mode: 'write',
    prompt: './role.md',
    agents: ['worker'],
    keepsSession: false,
    isSpread: false,
  } as const
  return {
    ...{ name: 'reviewed', description: 'An example.', inputs: {}, start: 'implement', stages: {} },
    roles: Object.fromEntries(roles.map((name) => [name, role])),
    limits: { minutes: 60, parallel: 1 },
    hasNotebook: false,
    result: { documents: [], partial: 'ask' },
    recover: { perVisit: 1, perRun: 1, actions: {} },
  }
}
