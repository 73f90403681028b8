import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import { attemptIdOf } from '../../../domain/session/session-purpose.ts'
import type { PendingInput } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { HANDOFF_REQUEST } from '../../prompts/handoff-prompt.ts'
import { Conversation } from '../conversation.ts'
import { addUsage } from './add-usage.ts'
import type { Reported } from './merge-runs.ts'
import { redactPlainLine, redactProtocolLine } from './redact-line.ts'
import type { SpoolLine } from './spool-lines.ts'
import type { Tail } from './tail.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings'>

export type PermissionRequest = Extract<AgentEvent, { type: 'permission-request' }>

type Heard = {
  readonly reported: readonly Reported[]
  readonly requests: readonly PermissionRequest[]
  readonly conversation?: ConversationState
}

/** Reads events from the lines of standard output, then gives the program its waiting input. */
export function hearProgram(
  needs: Needs,
  tail: Tail,
  lines: readonly SpoolLine[],
  inputs: readonly PendingInput[],
): Heard {
  const { redaction } = needs.settings
  const provider = needs.providers.get(tail.session.provider)
  const dialogue = provider?.dialogue
  if (
    tail.session.mode !== 'headless' ||
    dialogue === undefined ||
    tail.conversation.dialogue === undefined
  ) {
    const read = (line: SpoolLine): readonly AgentEvent[] =>
      line.truncated || provider === undefined
        ? [{ type: 'text', text: redactPlainLine(redaction, line) }]
        : provider.readLine(redactPlainLine(redaction, line))
    const reported = lines.flatMap((line) =>
      read(line).map((event): Reported => ({ event, isPiece: line.truncated })),
    )
    return { reported, requests: [], ...usageIn(tail.conversation, reported) }
  }
  const conversation = new Conversation(dialogue, tail.conversation)
  const reported = lines.flatMap((line): readonly Reported[] =>
    line.truncated
      ? [{ event: { type: 'text', text: startOf(redactPlainLine(redaction, line)) }, isPiece: true }]
      : conversation
          .hear(line.text, redactProtocolLine(redaction, line.text))
          .map((event) => ({ event, isPiece: false })),
  )
  askToHandOff(needs, tail, conversation)
  const answers = inputs.flatMap(({ input }) => conversation.give(input))
  const all = [...reported, ...answers.map((event): Reported => ({ event, isPiece: false }))]
  const requests = all.flatMap(({ event }) => (event.type === 'permission-request' ? [event] : []))
  return { reported: all, requests, conversation: conversation.state }
}

function startOf(piece: string): string {
  return piece.slice(0, SESSION_LIMITS.plainLineBytes)
}

/** A program without a dialogue may still report its usage. */
function usageIn(
  conversation: ConversationState,
  reported: readonly Reported[],
): Pick<Heard, 'conversation'> {
  const uses = reported.flatMap(({ event }) => (event.type === 'usage' ? [event] : []))
  return uses.length === 0
    ? {}
    : { conversation: { ...conversation, usage: uses.reduce(addUsage, conversation.usage) } }
}

/** Asks for a handoff once, mid-turn if necessary: later, the program would compact its context by itself. */
function askToHandOff(needs: Needs, tail: Tail, conversation: Conversation): void {
  const { contextTokens, contextWindow, openTurns, isAskedToHandOff } = conversation.state
  if (attemptIdOf(tail.session) === undefined || isAskedToHandOff === true || openTurns === 0) return
  if (contextTokens === undefined || contextWindow === undefined || contextWindow <= 0) return
  if (contextTokens / contextWindow < needs.settings.handoffShare) return
  conversation.askToHandOff(HANDOFF_REQUEST)
}
