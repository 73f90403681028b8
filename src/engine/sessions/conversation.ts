import { assertNever } from '../../domain/assert-never.ts'
import type { AgentEvent } from '../../domain/event/agent-event.ts'
import type { ConversationState } from '../../domain/session/conversation-state.ts'
import type { Notice, SessionInput } from '../../domain/session/session-input.ts'
import type { Dialogue, Opening, Spoken } from '../../ports/dialogue.ts'
import { addUsage } from './listen/add-usage.ts'

/**
 * Collects what a session's program and Muster send each other until it's stored as one batch. The dialogue decides
 * what to send; this class keeps the resulting state.
 */
export class Conversation {
  readonly #dialogue: Dialogue
  #state: ConversationState
  readonly #says: string[] = []

  constructor(dialogue: Dialogue, state: ConversationState) {
    this.#dialogue = dialogue
    this.#state = state
  }

  /** Opens a new conversation or continues an earlier one, whose usage still counts. */
  static open(dialogue: Dialogue, opening: Opening, before: ConversationState): ConversationState {
    const { providerSessionId, usage } = before
    const opened = new Conversation(dialogue, {
      ...(providerSessionId === undefined ? {} : { providerSessionId }),
      lastInput: '',
      lastInputAt: 0,
      usage,
      openTurns: 1,
    })
    opened.#take(dialogue.open(opening))
    return opened.state
  }

  /** The state to store. Its input follows the input that was sent before. */
  get state(): ConversationState {
    if (this.#says.length === 0) return this.#state
    return {
      ...this.#state,
      lastInputAt: this.#state.lastInputAt + new TextEncoder().encode(this.#state.lastInput).length,
      lastInput: this.#says.map((line) => `${line}\n`).join(''),
    }
  }

  /** `redacted`: the line without secrets, which events are read from. */
  hear(line: string, redacted = line): readonly AgentEvent[] {
    const { dialogue: state } = this.#state
    if (state === undefined) return []
    const shown = this.#dialogue.hear(state, redacted)
    if (line === redacted || this.#dialogue.echoes?.(line) !== true) return this.#take(shown)
    const exact = this.#dialogue.hear(state, line)
    // Both have the same events, unless a limit is between the two lengths.
    const isAlike = exact.events.length === shown.events.length
    return this.#take(isAlike ? { ...exact, events: shown.events } : exact)
  }

  give(input: SessionInput): readonly AgentEvent[] {
    const { dialogue: state } = this.#state
    if (state === undefined) return []
    switch (input.type) {
      case 'say':
        this.#state = withTurn(this.#state, input.notice)
        return this.#take(this.#dialogue.say(state, input.text))
      case 'interrupt':
        return this.#take(this.#dialogue.interrupt(state))
      case 'decide':
        return this.#take(this.#dialogue.decide(state, input.requestId, input.decision))
      default:
        return assertNever(input)
    }
  }

  /** Interrupts the turn that fills the context and asks for a handoff instead. */
  askToHandOff(text: string): void {
    this.give({ type: 'interrupt' })
    this.give({ type: 'say', text })
    this.#state = { ...this.#state, isAskedToHandOff: true }
  }

  #take(spoken: Spoken): readonly AgentEvent[] {
    this.#state = { ...this.#state, dialogue: spoken.state }
    for (const event of spoken.events) this.#state = learn(this.#state, event)
    this.#says.push(...spoken.says)
    return spoken.events
  }
}

function withTurn(state: ConversationState, notice: Notice | undefined): ConversationState {
  const openTurns = state.openTurns + 1
  // The first open turn has begun.
  return notice === 'messages' && openTurns > 1
    ? { ...state, openTurns, noticeTurn: openTurns }
    : { ...state, openTurns }
}

function withoutTurn({ noticeTurn = 0, ...state }: ConversationState): ConversationState {
  const openTurns = Math.max(0, state.openTurns - 1)
  return noticeTurn > 2 ? { ...state, openTurns, noticeTurn: noticeTurn - 1 } : { ...state, openTurns }
}

function learn(state: ConversationState, event: AgentEvent): ConversationState {
  switch (event.type) {
    case 'session':
      return { ...state, providerSessionId: event.providerSessionId }
    case 'turn-end':
      return { ...withoutTurn(state), turn: event.outcome }
    case 'usage':
      return {
        ...state,
        usage: addUsage(state.usage, event),
        ...(event.contextTokens === undefined ? {} : { contextTokens: event.contextTokens }),
        ...(event.contextWindow === undefined ? {} : { contextWindow: event.contextWindow }),
      }
    default:
      return state
  }
}
