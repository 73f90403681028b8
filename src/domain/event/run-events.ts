import type { RunId, VisitId } from '../id.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { Verdict } from '../review/verdict.ts'
import type { Run } from '../run/run.ts'
import type { TroubleRecord } from '../run/trouble-record.ts'
import { verdictOf } from '../run/verdict-of.ts'
import type { Visit } from '../run/visit.ts'
import type { Task } from '../task/task.ts'
import { taskPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

export type RunEvents = {
  readonly run_started: { readonly runId: RunId; readonly playbook: string }
  readonly stage_entered: {
    readonly runId: RunId
    readonly stage: string
    readonly round: number
    readonly branches: number
  }
  readonly stage_ended: {
    readonly runId: RunId
    readonly visitId: VisitId
    readonly stage: string
    readonly round: number
    readonly branch: number
    readonly outcome: string
    readonly problem?: string | undefined
    /** What a reviewer wants changed. */
    readonly issues?: Verdict['issues'] | undefined
  }
  /** Something was done about a visit in trouble. */
  readonly stage_recovered: {
    readonly runId: RunId
    readonly visitId: VisitId
    readonly stage: string
    readonly action: string
    /** The agent that took over, if another one did. */
    readonly to?: string | undefined
    readonly problem: string
  }
  readonly run_ended: {
    readonly runId: RunId
    readonly playbook: string
    readonly end: RunEnd
    readonly reason?: string | undefined
  }
  /** It was stopped, or its job or the run that waited for it ended first. Its playbook led to no end. */
  readonly run_cancelled: { readonly runId: RunId; readonly playbook: string; readonly reason: string }
}

const event = builderOf<RunEvents>()

export function runStarted({ id: runId, playbook }: Run, task: Task) {
  return event('run_started', taskPlace(task), { runId, playbook: playbook.name })
}

export function stageEntered(
  { id: runId }: Run,
  task: Task,
  entry: { readonly stage: string; readonly round: number; readonly branches: number },
) {
  const { stage, round, branches } = entry
  return event('stage_entered', taskPlace(task), { runId, stage, round, branches })
}

export function stageEnded(
  { id: runId }: Run,
  task: Task,
  visit: Visit,
  { outcome, problem, answer }: Pick<Visit, 'problem' | 'answer'> & { readonly outcome: string },
) {
  const { id: visitId, stage, round, branch } = visit
  const { issues = [] } = verdictOf(outcome, answer) ?? {}
  const data = { runId, visitId, stage, round, branch, outcome, problem }
  return event('stage_ended', taskPlace(task), issues.length === 0 ? data : { ...data, issues })
}

export function stageRecovered(
  { id: runId }: Run,
  task: Task,
  visit: Visit,
  { action, to, reason: problem }: Pick<TroubleRecord, 'action' | 'to' | 'reason'>,
) {
  const { id: visitId, stage } = visit
  return event('stage_recovered', taskPlace(task), { runId, visitId, stage, action, to, problem })
}

export function runEnded({ id: runId, playbook }: Run, task: Task, end: RunEnd, reason?: string) {
  return event('run_ended', taskPlace(task), { runId, playbook: playbook.name, end, reason })
}

export function runCancelled({ id: runId, playbook }: Run, task: Task, reason: string) {
  return event('run_cancelled', taskPlace(task), { runId, playbook: playbook.name, reason })
}
