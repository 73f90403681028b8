import type { AttemptId, VisitId } from '../id.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { routedEntries } from './entries.ts'
import {
  ERROR_CODES,
  type ErrorCategory,
  type ErrorCode,
  type ErrorSeverity,
  isRecoverable,
  type Strategy,
  strategyOf,
} from './error-code.ts'
import type { GiveUpCause, TroubleAction } from './trouble-action.ts'
import { isVisitOpen, outcomeOf, type Visit } from './visit.ts'

/** Something that went wrong in a run, and what was done about it. */
export type RunError = {
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly severity: ErrorSeverity
  /** Whether the stage can still succeed after an error with this code. */
  readonly recoverable: boolean
  readonly visitId: VisitId
  readonly stage: string
  readonly round: number
  readonly branch: number
  readonly attemptId?: AttemptId
  /** ISO time. */
  readonly at: string
  readonly message: string
  /** `skip`: the run went on without the stage. */
  readonly action: TroubleAction | 'skip'
  /** What the action stands for. */
  readonly strategy: Strategy
  /** Why Muster gave up. */
  readonly because?: GiveUpCause
  /** The agent that took over, if another one did. */
  readonly to?: string
  readonly until?: string
  /** Whether the stage succeeded after all; absent while that is open. */
  readonly recovered?: boolean
}

/** Everything that went wrong in a run, oldest first. It follows from the rows alone. */
export function errorsOf(playbook: Pick<Playbook, 'stages'>, visits: readonly Visit[]): readonly RunError[] {
  return [
    ...visits.flatMap(troublesOf),
    ...visits.flatMap(failureOf),
    ...exhaustedRoutes(playbook, visits),
  ].toSorted((one, two) => one.at.localeCompare(two.at))
}

function troublesOf(visit: Visit): readonly RunError[] {
  const recovered = isVisitOpen(visit) ? undefined : isSuccess(visit)
  return visit.troubles.map(({ code, at, reason, action, because, to, attemptId, until }) => ({
    ...placeOf(visit, code, action),
    at,
    message: reason,
    ...withoutUndefined({ because, to, attemptId, until }),
    ...(recovered === undefined ? {} : { recovered: recovered && action !== 'give-up' }),
  }))
}

/** A stage that failed without any trouble of an agent: nobody was left for it, for example. */
function failureOf(visit: Visit): readonly RunError[] {
  if (outcomeOf(visit) !== 'failed' || visit.troubles.length > 0) return []
  const at = (visit.endedAt ?? visit.createdAt).toISOString()
  const message = visit.problem ?? `the stage ${visit.stage} failed`
  return [{ ...placeOf(visit, 'STAGE_FAILED', 'skip'), at, message, recovered: false }]
}

function isSuccess(visit: Visit): boolean {
  return visit.state.type === 'settled' && outcomeOf(visit) !== 'failed'
}

function placeOf({ id, stage, round, branch }: Visit, code: ErrorCode, action: RunError['action']) {
  const { category, severity } = ERROR_CODES[code]
  const answer = { recoverable: isRecoverable(code), action, strategy: strategyOf(code, action) }
  return { code, category, severity, ...answer, visitId: id, stage, round, branch }
}

/** The limited routes that were not taken because they had been taken often enough, found by routing again. */
function exhaustedRoutes(playbook: Pick<Playbook, 'stages'>, visits: readonly Visit[]): readonly RunError[] {
  return routedEntries(playbook, visits).flatMap(({ visits: [first], routed }) =>
    routed?.exhausted === undefined ? [] : [exhaustedAt(first, routed.exhausted)],
  )
}

function exhaustedAt(visit: Visit, route: string): RunError {
  const at = (visit.endedAt ?? visit.createdAt).toISOString()
  const message = `the route ${route} was taken as often as the playbook allows`
  return { ...placeOf(visit, 'MAX_ITERATIONS', 'skip'), at, message, recovered: false }
}
