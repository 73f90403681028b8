import { APPROVAL_LIMITS } from '../limits/approval-limits.ts'
import { type Candidate, landingIdsOf, unusualIn } from './candidate.ts'
import { mayLand } from './candidate-state.ts'
import { type BatchChoice, chooseBatch } from './choose-batch.ts'
import type { LandingMode } from './landing-mode.ts'
import type { WaitingLanding } from './order-landings.ts'

export type QueueSnapshot<Entry extends WaitingLanding> = {
  /** The commit that the branch points to. */
  readonly head: string
  readonly waiting: readonly Entry[]
  /** The open candidates of the branch in creation order: each builds on the one before. */
  readonly candidates: readonly Candidate[]
  readonly mode: LandingMode
  /** How many candidates may be checked at once. */
  readonly slots: number
}

/** What the merge queue of one branch does next. */
export type QueueMove<Entry extends WaitingLanding> =
  /** Moves the branch to the candidate, unless the branch is already there or someone else moved it. */
  | { readonly type: 'land'; readonly candidate: Candidate }
  | { readonly type: 'ask'; readonly candidate: Candidate }
  /** It failed alone on the head, so it is rejected. Those after it are dropped. */
  | { readonly type: 'reject'; readonly candidate: Candidate; readonly after: readonly Candidate[] }
  /** A batch failed: its landings are checked again in halves. Candidates after it are dropped. */
  | { readonly type: 'divide'; readonly candidate: Candidate; readonly after: readonly Candidate[] }
  /** The branch is no longer where they were built on. */
  | { readonly type: 'drop'; readonly candidates: readonly Candidate[] }
  | {
      readonly type: 'build'
      readonly onto: string
      /** A conflict with the head is final; one with a candidate may still disappear. */
      readonly isOnHead: boolean
      readonly choice: BatchChoice<Entry>
    }

/**
 * Decides, from the rows and the branch alone, what the queue does next. Only the first candidate is ever judged by
 * its checks, and only on the head: whatever was checked on top of a candidate that did not land is checked again. A
 * person may decide on any that passed.
 */
export function nextQueueMove<Entry extends WaitingLanding>(
  snapshot: QueueSnapshot<Entry>,
): QueueMove<Entry> | undefined {
  const [first, ...after] = snapshot.candidates
  const verdict = first === undefined ? undefined : judge(snapshot, first, after)
  return verdict ?? build(snapshot)
}

function judge<Entry extends WaitingLanding>(
  { head, mode, candidates, waiting }: QueueSnapshot<Entry>,
  first: Candidate,
  after: readonly Candidate[],
): QueueMove<Entry> | undefined {
  const { state } = first
  const isUnusual = isUnusualCandidate(first)
  // Landing first asks git whether the candidate has already landed.
  if (mayLand(state, mode, isUnusual)) return { type: 'land', candidate: first }
  if (first.onto !== head) return { type: 'drop', candidates }
  // Ordinary work doesn't wait for a person's answer to something else.
  const isOvertaken = isUnusual && mode !== 'approve' && state.type !== 'failed' && waiting.some(isOrdinary)
  if (isOvertaken) return { type: 'drop', candidates }
  const answer = denied(candidates) ?? ask(mode === 'approve' ? candidates : leadingUnusual(candidates))
  if (answer !== undefined) return answer
  if (state.type !== 'failed') return undefined
  return { type: landingIdsOf(first).length > 1 ? 'divide' : 'reject', candidate: first, after }
}

function isUnusualCandidate(candidate: Candidate): boolean {
  return unusualIn(candidate).length > 0
}

/** The unusual work that is next to land. What comes after it may be new commits of the base, which need no approval. */
function leadingUnusual(candidates: readonly Candidate[]): readonly Candidate[] {
  const ordinary = candidates.findIndex((candidate) => !isUnusualCandidate(candidate))
  return ordinary === -1 ? candidates : candidates.slice(0, ordinary)
}

/** A person's denial needs no further judgement: the work is rejected, and what builds on it is built again. */
function denied(candidates: readonly Candidate[]): Extract<QueueMove<never>, { type: 'reject' }> | undefined {
  const index = candidates.findIndex(({ state }) => state.type === 'failed' && state.isDenied === true)
  const candidate = candidates[index]
  return candidate === undefined
    ? undefined
    : { type: 'reject', candidate, after: candidates.slice(index + 1) }
}

/** Asks about everything that can be decided: it passed, and so did all that it builds on. */
function ask(candidates: readonly Candidate[]): Extract<QueueMove<never>, { type: 'ask' }> | undefined {
  const undecidable = candidates.findIndex(({ state }) => !PASSED.has(state.type))
  const decidable = undecidable === -1 ? candidates : candidates.slice(0, undecidable)
  const candidate = decidable.find(({ state }) => state.type === 'passed')
  return candidate === undefined ? undefined : { type: 'ask', candidate }
}

const PASSED: ReadonlySet<Candidate['state']['type']> = new Set(['passed', 'asking', 'allowed'])

function build<Entry extends WaitingLanding>({
  head,
  waiting,
  candidates,
  mode,
  slots,
}: QueueSnapshot<Entry>): QueueMove<Entry> | undefined {
  const room = roomFor(mode, candidates, slots)
  const isDoomed = candidates.some(({ state }) => state.type === 'failed')
  const ordinary = waiting.filter(isOrdinary)
  // Unusual work comes last, each alone, because a person must decide about it. Until then, only more of it builds on it.
  const isAlone = mode === 'approve' || ordinary.length === 0
  const offered = isAlone ? waiting : ordinary
  const isBlocked = mode !== 'approve' && ordinary.length === 0 && !candidates.every(isUnusualCandidate)
  if (offered.length === 0 || room < 1 || isDoomed || isBlocked) return undefined
  const onto = candidates.at(-1)?.commit ?? head
  const choice = chooseBatch(offered, room)
  const size = isAlone ? 1 : choice.size
  return { type: 'build', onto, isOnHead: candidates.length === 0, choice: { ...choice, size } }
}

function isOrdinary({ isUnusual }: WaitingLanding): boolean {
  return isUnusual !== true
}

/** A candidate that waits for a person needs no slot, so a person is offered all finished work, up to a limit. */
function roomFor(mode: LandingMode, candidates: readonly Candidate[], slots: number): number {
  const isForPerson = mode === 'approve' || (candidates.length > 0 && candidates.every(isUnusualCandidate))
  if (!isForPerson) return slots - candidates.length
  const checking = candidates.filter(({ state }) => state.type === 'checking').length
  return Math.min(slots - checking, APPROVAL_LIMITS.openLandings - candidates.length)
}
