import { type Candidate, landingIdsOf } from './candidate.ts'
import { mayLand } from './candidate-state.ts'
import { type BatchChoice, chooseBatch } from './choose-batch.ts'
import type { LandingMode } from './landing-mode.ts'
import type { WaitingLanding } from './order-landings.ts'

export type QueueSnapshot<Entry extends WaitingLanding> = {
  /** Where the branch is. */
  readonly head: string
  readonly waiting: readonly Entry[]
  /** The open candidates of the branch in the order in which they were made: each builds on the one before. */
  readonly candidates: readonly Candidate[]
  readonly mode: LandingMode
  /** How many candidates may be checked at once. */
  readonly slots: number
}

/** What the merge queue of one branch does next. */
export type QueueMove<Entry extends WaitingLanding> =
  /** The branch moves to it, or has moved to it already, or someone else moved the branch. */
  | { readonly type: 'land'; readonly candidate: Candidate }
  | { readonly type: 'ask'; readonly candidate: Candidate }
  /** It stood alone on the head and failed, so it is refused. Those after it are dropped. */
  | { readonly type: 'reject'; readonly candidate: Candidate; readonly after: readonly Candidate[] }
  /** Several failed together: they are checked again in halves. Those after it are dropped. */
  | { readonly type: 'divide'; readonly candidate: Candidate; readonly after: readonly Candidate[] }
  /** The branch is not where they were built on. */
  | { readonly type: 'drop'; readonly candidates: readonly Candidate[] }
  | {
      readonly type: 'build'
      readonly onto: string
      /** A conflict with the head is final; one with a candidate may still go away. */
      readonly isOnHead: boolean
      readonly choice: BatchChoice<Entry>
    }

/**
 * Decides from rows and the branch alone what the queue does next. Only the first candidate is ever judged, and only
 * on the head: what was checked on top of a candidate that did not land is checked again.
 */
export function nextQueueMove<Entry extends WaitingLanding>(
  sight: QueueSnapshot<Entry>,
): QueueMove<Entry> | undefined {
  const [first, ...after] = sight.candidates
  const verdict = first === undefined ? undefined : judge(sight, first, after)
  return verdict ?? build(sight)
}

function judge<Entry extends WaitingLanding>(
  { head, mode, candidates }: QueueSnapshot<Entry>,
  first: Candidate,
  after: readonly Candidate[],
): QueueMove<Entry> | undefined {
  const { state } = first
  // Whoever lands it asks git whether it has landed already.
  if (mayLand(state, mode)) return { type: 'land', candidate: first }
  if (first.onto !== head) return { type: 'drop', candidates }
  if (state.type === 'passed') return { type: 'ask', candidate: first }
  if (state.type !== 'failed') return undefined
  return { type: landingIdsOf(first).length > 1 ? 'divide' : 'reject', candidate: first, after }
}

function build<Entry extends WaitingLanding>({
  head,
  waiting,
  candidates,
  mode,
  slots,
}: QueueSnapshot<Entry>): QueueMove<Entry> | undefined {
  // A person is shown one landing on the current head, so there is one candidate at a time.
  const room = (mode === 'approve' ? 1 : slots) - candidates.length
  const isDoomed = candidates.some(({ state }) => state.type === 'failed')
  if (waiting.length === 0 || room < 1 || isDoomed) return undefined
  const onto = candidates.at(-1)?.commit ?? head
  const choice = chooseBatch(waiting, room)
  const size = mode === 'approve' ? 1 : choice.size
  return { type: 'build', onto, isOnHead: candidates.length === 0, choice: { ...choice, size } }
}
