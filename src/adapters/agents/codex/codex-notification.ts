import { z } from 'zod'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { codexItem, itemEvents } from './codex-item.ts'
import { mergeLimits, rateLimits } from './codex-limits.ts'
import { codexTurn, outcomeOf } from './codex-outcome.ts'
import { type CodexState, identifier, requestIdentifier } from './codex-state.ts'
import { endTurn, turnBegun } from './codex-turn.ts'
import { hearUsage } from './codex-usage.ts'

/** These bound the state, not what is told: that goes out in events as it comes. */
const MAX_CHANGES = 4
const MAX_CHANGED_PATHS = 15
const MAX_PATH_CHARACTERS = 200
const MAX_ANSWER_CHARACTERS = 16 * 1024
const MAX_PROBLEM_CHARACTERS = 2 * 1024

const ofThread = z.object({ threadId: identifier })
const turnNotice = z.object({ turn: codexTurn })
const itemNotice = z.object({ item: codexItem })
const errorNotice = z.object({ error: z.object({ message: z.string() }), willRetry: z.boolean() })
const resolvedNotice = z.object({ requestId: requestIdentifier })
const limitsNotice = z.object({ rateLimits })
const warningNotice = z.object({ message: z.string() })
const serverNotice = z.object({ name: z.string(), status: z.string(), error: z.string().nullish() })

/** Something the program tells. What it tells of other threads than ours is theirs: helpers it has started. */
export function hearCodexNotification(state: CodexState, method: string, params: unknown): Spoken {
  const nothing: Spoken = { state, events: [], says: [] }
  switch (method) {
    case 'account/rateLimits/updated': {
      const told = limitsNotice.safeParse(params).data
      return told === undefined ? nothing : { ...nothing, state: mergeLimits(state, told.rateLimits) }
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

function hearItem(state: CodexState, params: unknown, moment: 'start' | 'end'): Spoken {
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

/** Errors that are tried again are told as they come; the last one is told with the turn's end. */
function hearError(state: CodexState, params: unknown): Spoken {
  const told = errorNotice.safeParse(params).data
  const { stage } = state
  if (told === undefined || stage.type !== 'working') return { state, events: [], says: [] }
  if (told.willRetry) {
    return { state, events: [{ type: 'error-output', text: storableText(told.error.message) }], says: [] }
  }
  const problem = told.error.message.slice(0, MAX_PROBLEM_CHARACTERS)
  return { state: { ...state, stage: { ...stage, problem } }, events: [], says: [] }
}

function warning(params: unknown): readonly AgentEvent[] {
  const told = warningNotice.safeParse(params).data
  return told === undefined ? [] : [{ type: 'error-output', text: storableText(told.message) }]
}

function serverFailure(params: unknown): readonly AgentEvent[] {
  const told = serverNotice.safeParse(params).data
  if (told?.status !== 'failed') return []
  const text = `the tools of ${told.name} are not there: ${told.error ?? 'its server did not start'}`
  return [{ type: 'error-output', text: storableText(text) }]
}
