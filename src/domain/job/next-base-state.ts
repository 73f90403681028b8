import { assertNever } from '../assert-never.ts'
import type { BaselineId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { BaseDecision, BaseState } from './base-state.ts'

export type BaseEvent =
  /**
   * This baseline decides; `isKnown`: it has passed. Happens again if the checks of the baseline before were
   * stopped, or if a person wants a failed base to be checked again.
   */
  | { readonly type: 'base-check'; readonly baselineId: BaselineId; readonly isKnown: boolean }
  | { readonly type: 'base-pass' }
  | { readonly type: 'base-unknown' }
  /** It fails. Without a decision made in advance, a person is asked. */
  | { readonly type: 'base-fail'; readonly decision?: BaseDecision; readonly at: Date }
  | { readonly type: 'base-decide'; readonly decision: BaseDecision }
  | { readonly type: 'fix-start' }
  /** The cycle that fixes the base has ended. If the fix didn't land, a person is asked again. */
  | { readonly type: 'fix-end'; readonly hasLanded: boolean; readonly at: Date }

const LEGAL_FROM: Record<Exclude<BaseEvent['type'], 'base-check'>, BaseState['type']> = {
  'base-pass': 'checking',
  'base-unknown': 'checking',
  'base-fail': 'checking',
  'base-decide': 'asking',
  'fix-start': 'to-fix',
  'fix-end': 'fixing',
}

const DECIDED = { continue: 'tolerated', fix: 'to-fix' } as const

/** The only place where a job's view of its base changes. A job whose base isn't checked has no state. */
export function nextBaseState(
  state: BaseState | undefined,
  event: BaseEvent,
): Result<BaseState, IllegalTransition> {
  if (event.type === 'base-check') return nextCheckedState(state, event)
  if (state === undefined || LEGAL_FROM[event.type] !== state.type) return refuse(state, event)
  const { baselineId, fixCycles } = state
  const checked = { baselineId, fixCycles }
  const asking = (at: Date) => ({ type: 'asking', since: at.toISOString(), ...checked }) as const
  switch (event.type) {
    case 'base-pass':
      return success({ type: 'passed', ...checked })
    case 'base-unknown':
      return success({ type: 'unknown', ...checked })
    case 'base-fail':
      return success(
        event.decision === undefined ? asking(event.at) : { type: DECIDED[event.decision], ...checked },
      )
    case 'base-decide':
      return success({ type: DECIDED[event.decision], ...checked })
    case 'fix-start':
      return success({ type: 'fixing', ...checked, fixCycles: fixCycles + 1 })
    case 'fix-end':
      return success(event.hasLanded ? { type: 'fixed', ...checked } : asking(event.at))
    default:
      return assertNever(event)
  }
}

function nextCheckedState(
  state: BaseState | undefined,
  event: Extract<BaseEvent, { type: 'base-check' }>,
): Result<BaseState, IllegalTransition> {
  if (state !== undefined && state.type !== 'checking' && state.type !== 'asking') return refuse(state, event)
  const { baselineId, isKnown } = event
  return success({ type: isKnown ? 'passed' : 'checking', baselineId, fixCycles: state?.fixCycles ?? 0 })
}

function refuse(state: BaseState | undefined, { type }: BaseEvent): Result<never, IllegalTransition> {
  return failure(illegalTransition('base', state?.type ?? 'unchecked', type))
}
