import type { WireJob, WireJobSummary } from '../../contract/job.ts'
import type { JobState } from '../../domain/job/job-state.ts'
import type { JobView } from '../../engine/queries/job.ts'
import type { JobSummary } from '../../engine/queries/jobs.ts'
import { agentToWire } from './agent-to-wire.ts'
import { documentToWire } from './document-to-wire.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { waitingToWire } from './waiting-to-wire.ts'

const MAX_TITLE = 120

export function jobToWire(view: JobView): WireJob {
  const { job, spentUsd, edits, waiting } = view
  const { reviewer } = job.plan
  return {
    ...jobSummaryToWire(view),
    requestDocument: job.requestDocument,
    taskList: job.taskList,
    wantedTasks: job.wantedTasks,
    waitingDocuments: edits.map(documentToWire),
    waiting: waiting.map(waitingToWire),
    spentUsd,
    evidence: job.state.type === 'completed' ? [...job.state.evidence] : [],
    agents: job.plan.agents.map(agentToWire),
    worker: job.plan.worker,
    planner: job.plan.planner,
    ...(reviewer === undefined ? {} : { reviewer }),
    mode: job.plan.mode ?? 'auto',
    checks: [...job.plan.checks],
    limits: job.plan.limits,
  }
}

export function jobSummaryToWire({ job, activeMs }: JobSummary): WireJobSummary {
  const { plan, requestDocument, taskList, wantedTasks, state, createdAt, updatedAt, ...rest } = job
  const { runningSince, startedAt, completedAt, ...fields } = rest
  const reason = reasonOf(state)
  return {
    ...fields,
    repositoryName: nameOf(job.repositoryPath),
    title: titleOf(requestDocument),
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

/** The first line of the goal that says something, without the marks of a heading. */
function titleOf(goal: string): string {
  const lines = goal.slice(0, 10_000).split('\n')
  const title =
    lines
      .map((line) => line.replace(/^[#\s]+|^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
      .find((line) => line !== '') ?? ''
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title
}

function nameOf(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path
}
