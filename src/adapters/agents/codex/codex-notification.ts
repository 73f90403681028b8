import { z } from 'zod'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { codexItem, itemEvents } from './codex-item.ts'
import { mergeLimits, rateLimits } from './codex-limits.ts'
import { codexTurn, outcomeOf, statusIn, turnError } from './codex-outcome.ts'
import { type CodexState, identifier, requestIdentifier } from './codex-state.ts'
import { endTurn, interruptTurn, turnBegun } from './codex-turn.ts'
import { hearUsage } from './codex-usage.ts'

/** These limit the size of the state. Events carry the full values. */
const MAX_CHANGES = 4
const MAX_CHANGED_PATHS = 15
const MAX_PATH_CHARACTERS = 200
const MAX_ANSWER_CHARACTERS = 16 * 1024
const MAX_PROBLEM_CHARACTERS = 2 * 1024

const ofThread = z.object({ threadId: identifier })
const turnNotice = z.object({ turn: codexTurn })
const itemNotice = z.object({ item: codexItem })
const errorNotice = z.object({ error: turnError, willRetry: z.boolean() })
/** The program would wait for the network forever. This many requests without an answer take about half a minute. */
const MAX_UNANSWERED = 4
const resolvedNotice = z.object({ requestId: requestIdentifier })
const limitsNotice = z.object({ rateLimits })
const warningNotice = z.object({ message: z.string() })
const serverNotice = z.object({ name: z.string(), status: z.string(), error: z.string().nullish() })

/** A notification from the program. Other threads belong to subagents, so we ignore them. */
export function hearCodexNotification(state: CodexState, method: string, params: unknown): Spoken {
  const nothing: Spoken = { state, events: [], says: [] }
  switch (method) {
    case 'account/rateLimits/updated': {
      const reported = limitsNotice.safeParse(params).data
      return reported === undefined ? nothing : { ...nothing, state: mergeLimits(state, reported.rateLimits) }
    }
    case 'mcpServer/startupStatus/updated':
      return { ...nothing, events: serverFailure(params) }
    case 'warning':
    case 'guardianWarning':
      return { ...nothing, events: warning(params) }
    default:
      return isOfOurThread(state, params) ? hearOfThread(state, method, params) : nothing
  }
}

function hearOfThread(state: CodexState, method: string, params: unknown): Spoken {
  const nothing: Spoken = { state, events: [], says: [] }
  switch (method) {
    case 'turn/started': {
      const turn = turnNotice.safeParse(params).data?.turn
      return turn === undefined ? nothing : turnBegun(state, turn.id)
    }
    case 'turn/completed':
      return hearTurnEnd(state, params)
    case 'item/started':
      return hearItem(state, params, 'start')
    case 'item/completed':
      return hearItem(state, params, 'end')
    case 'thread/tokenUsage/updated':
      return hearUsage(state, params)
    case 'error':
      return hearError(state, params)
    case 'serverRequest/resolved': {
      const id = resolvedNotice.safeParse(params).data?.requestId
      return {
        ...nothing,
        state: { ...state, openRequests: state.openRequests.filter((open) => open.id !== id) },
      }
    }
    default:
      return nothing
  }
}

function isOfOurThread({ stage }: CodexState, params: unknown): boolean {
  return 'threadId' in stage && ofThread.safeParse(params).data?.threadId === stage.threadId
}

function hearTurnEnd(state: CodexState, params: unknown): Spoken {
  const turn = turnNotice.safeParse(params).data?.turn
  const { stage } = state
  const isOther = stage.type === 'working' && stage.turnId !== turn?.id
  if (turn === undefined || isOther) return { state, events: [], says: [] }
  return endTurn(state, outcomeOf(turn, state))
}

function hearItem(before: CodexState, params: unknown, moment: 'start' | 'end'): Spoken {
  const state = answered(before)
  const item = itemNotice.safeParse(params).data?.item
  if (item === undefined) return { state, events: [], says: [] }
  const events = itemEvents(item, moment)
  const { stage } = state
  if (item.type === 'agentMessage' && moment === 'end' && stage.type === 'working' && item.text !== '') {
    const answer = item.text.slice(0, MAX_ANSWER_CHARACTERS)
    return { state: { ...state, stage: { ...stage, answer } }, events, says: [] }
  }
  if (item.type !== 'fileChange') return { state, events, says: [] }
  const others = state.changes.filter((change) => change.itemId !== item.id)
  const paths = item.changes
    .slice(0, MAX_CHANGED_PATHS)
    .map((change) => change.path.slice(0, MAX_PATH_CHARACTERS))
  const changes = moment === 'start' ? [...others, { itemId: item.id, paths }].slice(-MAX_CHANGES) : others
  return { state: { ...state, changes }, events, says: [] }
}

/** The model answers again, so requests without an answer are counted anew. */
function answered(state: CodexState): CodexState {
  const { stage } = state
  if (stage.type !== 'working' || !stage.unanswered || stage.isUnreachable === true) return state
  return { ...state, stage: { ...stage, unanswered: 0 } }
}

/** Reports errors that are retried at once, and the final one with the end of the turn. */
function hearError(state: CodexState, params: unknown): Spoken {
  const reported = errorNotice.safeParse(params).data
  const { stage } = state
  if (reported === undefined || stage.type !== 'working') return { state, events: [], says: [] }
  if (reported.willRetry) {
    const events = [{ type: 'error-output', text: storableText(reported.error.message) }] as const
    const isUnanswered = statusIn(reported.error.codexErrorInfo) === null
    const unanswered = isUnanswered ? (stage.unanswered ?? 0) + 1 : 0
    const isUnreachable = unanswered >= MAX_UNANSWERED
    const working = { ...stage, unanswered, isUnreachable }
    const next = { ...state, stage: working }
    if (!isUnreachable || stage.isUnreachable === true) return { state: next, events, says: [] }
    return { ...interruptTurn(next, working), events }
  }
  const problem = reported.error.message.slice(0, MAX_PROBLEM_CHARACTERS)
  return { state: { ...state, stage: { ...stage, problem } }, events: [], says: [] }
}

function warning(params: unknown): readonly AgentEvent[] {
  const reported = warningNotice.safeParse(params).data
  return reported === undefined ? [] : [{ type: 'error-output', text: storableText(reported.message) }]
}

function serverFailure(params: unknown): readonly AgentEvent[] {
  const reported = serverNotice.safeParse(params).data
  if (reported?.status !== 'failed') return []
  const text = `the tools of ${reported.name} are unavailable: ${reported.error ?? 'its server did not start'}`
  return [{ type: 'error-output', text: storableText(text) }]
}
