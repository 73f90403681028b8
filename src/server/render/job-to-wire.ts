import type { WireCycle, WireCycleDetail } from '../../contract/cycle.ts'
import type { WireJob, WireJobSummary } from '../../contract/job.ts'
import type { WireJobDocument } from '../../contract/job-document.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { JobApproach, JobPlan } from '../../domain/job/job.ts'
import type { JobDocument } from '../../domain/job/job-document.ts'
import type { JobState } from '../../domain/job/job-state.ts'
import { jobTitle } from '../../domain/job/job-title.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { CycleView } from '../../engine/queries/cycles.ts'
import type { JobView } from '../../engine/queries/job.ts'
import type { JobSummary } from '../../engine/queries/jobs.ts'
import { agentToWire } from './agent-to-wire.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { taskToWire } from './task-to-wire.ts'
import { waitingToWire } from './waiting-to-wire.ts'

export function jobToWire(view: JobView): WireJob {
  const { job, spentUsd, edits, waiting } = view
  const { workers, planner, reviewer, approach, taskPlaybook, passedOver, snapshot } = job.plan
  const playbook = approach === undefined ? undefined : playbookToWire(approach)
  return {
    ...jobSummaryToWire(view),
    requestDocument: job.requestDocument,
    taskList: job.taskList,
    requestedTasks: job.requestedTasks,
    waitingDocuments: edits.map(documentToWire),
    waiting: waiting.map(waitingToWire),
    spentUsd,
    evidence: job.state.type === 'completed' ? [...job.state.evidence] : [],
    agents: job.plan.agents.map(agentToWire),
    worker: job.plan.worker,
    ...withoutUndefined({ workers, planner, reviewer, playbook, passedOver, snapshot }),
    ...(taskPlaybook === undefined ? {} : { taskPlaybook: taskPlaybookToWire(taskPlaybook) }),
    mode: job.plan.mode ?? 'auto',
    failingBase: job.plan.failingBase ?? 'ask',
    checks: [...job.plan.checks],
    limits: job.plan.limits,
  }
}

function taskPlaybookToWire({ name, hash, from, inputs }: NonNullable<JobPlan['taskPlaybook']>) {
  return { name, hash, inputs, ...withoutUndefined({ from }) }
}

function playbookToWire({ playbook, from, inputs, cast, notes }: JobApproach): WireJob['playbook'] {
  const names = Object.entries(cast).map(([role, members]) => [role, members.map(({ agent }) => agent)])
  return { ...playbook, ...withoutUndefined({ from, notes }), inputs, cast: Object.fromEntries(names) }
}

export function jobSummaryToWire({ job, activeMs }: JobSummary): WireJobSummary {
  const { plan, requestDocument, taskList, requestedTasks, state, base, createdAt, updatedAt, ...rest } = job
  const { runningSince, startedAt, completedAt, ...fields } = rest
  const reason = reasonOf(state)
  return {
    ...fields,
    repositoryName: nameOf(job.repositoryPath),
    baseStatus: base?.type ?? 'unchecked',
    title: jobTitle(requestDocument),
    status: state.type,
    pausing: state.type === 'running' && state.pausing,
    ...(reason === undefined ? {} : { reason }),
    activeMs,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...instantsToWire({ runningSince, startedAt, completedAt }),
  }
}

export function reasonOf(state: JobState): string | undefined {
  if (state.type === 'completed' || state.type === 'cancelled') return state.reason
  return state.type === 'error' ? state.error : undefined
}

function nameOf(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path
}

export function cycleToWire(cycle: Cycle): WireCycle {
  const { startedAt, completedAt, ...rest } = cycle
  return { ...rest, startedAt: startedAt.toISOString(), ...instantsToWire({ completedAt }) }
}

export function cycleDetailToWire({ cycle, sessionId, tasks }: CycleView): WireCycleDetail {
  return {
    ...cycleToWire(cycle),
    ...sessionField(sessionId),
    tasks: tasks.map(({ task, sessionId: ofTask }) => ({ ...taskToWire(task), ...sessionField(ofTask) })),
  }
}

function sessionField(sessionId: string | undefined): { readonly agentSessionId?: string } {
  return sessionId === undefined ? {} : { agentSessionId: sessionId }
}

export function documentToWire(document: JobDocument): WireJobDocument {
  const { kind, number, text, author, createdAt, cycle } = document
  return {
    kind,
    number,
    text,
    author,
    createdAt: createdAt.toISOString(),
    ...(cycle === undefined ? {} : { cycle }),
  }
}
