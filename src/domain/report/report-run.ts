import type { RunId, TaskId } from '../id.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import type { RunEnd } from '../playbook/route.ts'
import { type Degradation, describeDegradation } from '../run/degradation.ts'
import type { NextCommand } from '../run/next-commands.ts'
import type { Run } from '../run/run.ts'
import type { RunError } from '../run/run-errors.ts'
import { cutText } from './cut-text.ts'

/** A run of a playbook in the report of its job, with what went wrong in it. */
export type ReportRun = {
  readonly id: RunId
  readonly taskId: TaskId
  readonly playbook: string
  readonly status: Run['state']['type']
  readonly end?: RunEnd
  readonly reason?: string
  readonly progress: number
  readonly visits: number
  /** What it did without, in sentences. */
  readonly degradation: readonly string[]
  /** How much went wrong; `errors` has only the latest. */
  readonly errorCount: number
  readonly errors: readonly ReportRunError[]
  readonly next: readonly NextCommand[]
}

/** Programs that read it must expect codes and actions that later versions add. */
type ReportRunError = Omit<RunError, 'code' | 'action'> & { readonly code: string; readonly action: string }

export type ReportedRun = {
  readonly run: Run
  readonly visits: { readonly length: number }
  readonly progress: number
  readonly errors: readonly RunError[]
  readonly next: readonly NextCommand[]
  readonly degradation?: Degradation
}

export function reportRun({ run, visits, progress, errors, next, degradation }: ReportedRun): ReportRun {
  const { id, taskId, playbook, state } = run
  const reason = 'reason' in state ? state.reason : undefined
  return {
    id,
    taskId,
    playbook: playbook.name,
    status: state.type,
    ...('end' in state ? { end: state.end } : {}),
    ...(reason === undefined ? {} : { reason: cutText(reason) }),
    progress,
    visits: visits.length,
    degradation: degradation === undefined ? [] : describeDegradation(degradation),
    errorCount: errors.length,
    errors: errors
      .slice(-REPORT_LIMITS.attemptsPerTask)
      .map((error) => ({ ...error, message: cutText(error.message) })),
    next,
  }
}
