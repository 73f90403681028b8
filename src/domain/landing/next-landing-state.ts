import type { CandidateId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { isLandingFinished, type LandingState } from './landing.ts'

export type LandingEvent =
  /** Merged, alone or with others, into a candidate. */
  | { readonly type: 'merge-end'; readonly candidateId: CandidateId }
  | { readonly type: 'merge-conflict'; readonly paths: readonly string[] }
  /** The branch already contains all of it; `commit` is where. */
  | { readonly type: 'merge-contained'; readonly commit: string; readonly tree: string }
  /** Its candidate will not land; it may join the next one. */
  | { readonly type: 'candidate-drop' }
  | { readonly type: 'branch-moved'; readonly commit: string; readonly tree: string }
  | { readonly type: 'landing-reject'; readonly reason: string }

/** The only place a landing changes state. Only what was merged and checked ever lands. */
export function nextLandingState(
  state: LandingState,
  event: LandingEvent,
): Result<LandingState, IllegalTransition> {
  const illegal = failure(illegalTransition('landing', state.type, event.type))
  if (isLandingFinished(state)) return illegal
  const only = (from: LandingState['type'], next: LandingState): Result<LandingState, IllegalTransition> =>
    state.type === from ? success(next) : illegal
  switch (event.type) {
    case 'merge-end':
      return only('queued', { type: 'checking', candidateId: event.candidateId })
    case 'merge-conflict':
      return only('queued', { type: 'conflicted', paths: event.paths })
    case 'merge-contained':
      return only('queued', { type: 'landed', commit: event.commit, tree: event.tree, isContained: true })
    case 'candidate-drop':
      return only('checking', { type: 'queued' })
    case 'branch-moved':
      return only('checking', { type: 'landed', commit: event.commit, tree: event.tree })
    case 'landing-reject':
      return success({ type: 'rejected', reason: event.reason })
  }
}
