import { assertNever } from '../../../domain/assert-never.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { SessionInput } from '../../../domain/session/session-input.ts'
import type { Talk } from '../../../domain/session/talk.ts'
import type { Dialogue, Opening, Spoken } from '../../../ports/dialogue.ts'
import { addUsage } from './add-usage.ts'

/**
 * Gathers what a session's program and we say until it is stored as one batch. The dialogue decides; this keeps
 * what came of it.
 */
export class Conversation {
  readonly #dialogue: Dialogue
  #talk: Talk
  readonly #says: string[] = []

  constructor(dialogue: Dialogue, talk: Talk) {
    this.#dialogue = dialogue
    this.#talk = talk
  }

  /** A new conversation, or the next part of one that is gone on with: what was used before still counts. */
  static open(dialogue: Dialogue, opening: Opening, before: Talk): Talk {
    const { providerSessionId, usage } = before
    const begun = new Conversation(dialogue, {
      ...(providerSessionId === undefined ? {} : { providerSessionId }),
      unsaid: '',
      unsaidAt: 0,
      usage,
      openTurns: 1,
    })
    begun.#take(dialogue.open(opening))
    return begun.talk
  }

  /** What is to be stored: its words follow those that were said before. */
  get talk(): Talk {
    if (this.#says.length === 0) return this.#talk
    return {
      ...this.#talk,
      unsaidAt: this.#talk.unsaidAt + new TextEncoder().encode(this.#talk.unsaid).length,
      unsaid: this.#says.map((line) => `${line}\n`).join(''),
    }
  }

  hear(line: string): readonly AgentEvent[] {
    const { dialogue: state } = this.#talk
    return state === undefined ? [] : this.#take(this.#dialogue.hear(state, line))
  }

  give(input: SessionInput): readonly AgentEvent[] {
    const { dialogue: state } = this.#talk
    if (state === undefined) return []
    switch (input.type) {
      case 'say':
        this.#talk = { ...this.#talk, openTurns: this.#talk.openTurns + 1 }
        return this.#take(this.#dialogue.say(state, input.text))
      case 'interrupt':
        return this.#take(this.#dialogue.interrupt(state))
      case 'decide':
        return this.#take(this.#dialogue.decide(state, input.requestId, input.decision))
      default:
        return assertNever(input)
    }
  }

  /** Breaks off the turn that fills the context, and asks for a handoff instead. */
  askToHandOff(text: string): void {
    this.give({ type: 'interrupt' })
    this.give({ type: 'say', text })
    this.#talk = { ...this.#talk, isAskedToHandOff: true }
  }

  #take(spoken: Spoken): readonly AgentEvent[] {
    this.#talk = { ...this.#talk, dialogue: spoken.state }
    for (const event of spoken.events) this.#talk = learn(this.#talk, event)
    this.#says.push(...spoken.says)
    return spoken.events
  }
}

function learn(talk: Talk, event: AgentEvent): Talk {
  switch (event.type) {
    case 'session':
      return { ...talk, providerSessionId: event.providerSessionId }
    case 'turn-end':
      return { ...talk, turn: event.outcome, openTurns: Math.max(0, talk.openTurns - 1) }
    case 'usage':
      return {
        ...talk,
        usage: addUsage(talk.usage, event),
        ...(event.contextTokens === undefined ? {} : { contextTokens: event.contextTokens }),
        ...(event.contextWindow === undefined ? {} : { contextWindow: event.contextWindow }),
      }
    default:
      return talk
  }
}
