import type { AgentSpec } from '../agent/agent-spec.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { attemptRulesOf } from '../attempt/attempt-purpose.ts'
import type { ContinuedConversation } from '../attempt/continued-conversation.ts'
import { sharingTree, treeOwner } from '../attempt/tree-owner.ts'
import type { Session } from '../session/session.ts'
import type { Visit } from './visit.ts'

/** An attempt of the run that has ended, with its last session. */
export type EarlierTry = { readonly attempt: Attempt; readonly session: Session | undefined }

export type ConversationRequest = {
  readonly visit: Visit
  /** The role that the visit is for, and whether it keeps its conversation over its visits. */
  readonly role: string
  readonly keepsSession: boolean
  /** Who takes the visit. Another agent than the earlier one can't continue its conversation. */
  readonly agent: Pick<AgentSpec, 'name' | 'provider'>
  readonly visits: readonly Visit[]
  /** Of the whole run, oldest first. */
  readonly tries: readonly EarlierTry[]
}

/**
 * The conversation that the next attempt at a visit continues. An answer that is asked for again is asked for where it was
 * given. Otherwise, a role that keeps its session continues its last visit that succeeded, each branch of a fan-out its
 * own. Undefined: a new conversation begins.
 */
export function conversationFor(request: ConversationRequest): ContinuedConversation | undefined {
  const { visit, tries } = request
  const last = tries.findLast(({ attempt }) => attempt.id === visit.attemptId)
  const isAskedAgain = last !== undefined && visit.troubles.at(-1)?.isContinued === true
  const earlier = isAskedAgain ? last : keptTry(request)
  if (earlier === undefined || !canContinue(earlier, request)) return undefined
  const { sessionId, tip } = earlier.attempt
  const tree = treeOwner(earlier.attempt)
  return { sessionId, tree, ...(isAskedAgain && tip !== undefined ? { commit: tip } : {}) }
}

function keptTry({ visit, role, keepsSession, visits, tries }: ConversationRequest): EarlierTry | undefined {
  if (!keepsSession) return undefined
  const isOfBranch = (attempt: Attempt) => {
    const { purpose } = attempt
    const of = purpose.type === 'visit' ? visits.find(({ id }) => id === purpose.visitId) : undefined
    return of?.branch === visit.branch && of.ordinal < visit.ordinal
  }
  const ordinalOf = ({ attempt: { purpose } }: EarlierTry) =>
    visits.find(({ id }) => purpose.type === 'visit' && id === purpose.visitId)?.ordinal ?? 0
  const kept = tries.filter(
    ({ attempt }) => attempt.role === role && isAccepted(attempt) && isOfBranch(attempt),
  )
  // By the order of the visits, not by time: clocks can be set back.
  return kept.toSorted((one, other) => ordinalOf(one) - ordinalOf(other)).at(-1)
}

function isAccepted({ state }: Attempt): boolean {
  return state.type === 'settled' && state.outcome.type === 'accepted'
}

function canContinue({ attempt, session }: EarlierTry, { agent, tries }: ConversationRequest): boolean {
  if (attempt.agent.name !== agent.name || attempt.agent.provider !== agent.provider) return false
  if (session === undefined || !isContinuable(session)) return false
  if (tries.some((other) => hasLost(other) && other.attempt.continues?.sessionId === session.id)) return false
  // Work that couldn't be collected is only in its tree, which has to stay.
  return !sharingTree(
    attempt,
    tries.map((other) => other.attempt),
  ).some((other) => attemptRulesOf(other).makesWork && other.tip === undefined)
}

/** Whether the program of an ended session can continue its conversation. */
export function isContinuable({ state, conversation }: Session): boolean {
  return state.type === 'terminated' && conversation.providerSessionId !== undefined
}

/** Whether an attempt was to continue a conversation, and its program never got that far: it may be gone. */
export function hasLost({ attempt, session }: EarlierTry): boolean {
  return attempt.continues !== undefined && session?.conversation.providerSessionId === undefined
}
