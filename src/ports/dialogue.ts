import type { AgentEvent } from '../domain/event/agent-event.ts'

/** How an agent reaches Muster's own tools. */
export type McpAccess = { readonly url: string; readonly token: string }

/** How a conversation begins. Paths are absolute. */
export type Opening = {
  readonly prompt: string
  readonly treeDirectory: string
  readonly model?: string
  /** The program's own id of the conversation to resume. */
  readonly resume?: string
  /** If the program no longer knows that conversation, a new one may begin, because the prompt is complete. */
  readonly mayBeginAnew?: boolean
  /** `ask`: tools beyond reading and editing the tree wait for a decision. `bypass`: nothing waits. */
  readonly permissions: 'ask' | 'bypass'
  readonly mcp?: McpAccess
}

/** The state of a conversation. Plain JSON, small (under 64 KiB), stored with the session. */
export type DialogueState = Readonly<Record<string, unknown>>

/** The next state, the events that follow, and the lines (without line ends) to write to the program. */
export type Spoken = {
  readonly state: DialogueState
  readonly events: readonly AgentEvent[]
  readonly says: readonly string[]
}

export type PermissionDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }

/**
 * One agent program's protocol over its standard input and output, as a fold over the lines it printed.
 *
 * Contract: every method is pure and never throws, whatever the program printed and whatever `state` an older version
 * stored. The result depends only on `state` and the arguments, so a daemon that crashed continues from the last stored
 * state. Every message sent, including the opening's prompt, has exactly one `turn-end`. A `say` during a turn is kept
 * in the state and sent when the program can accept it; none is lost. `interrupt` without a turn, and `decide` on a
 * request that is not open, write nothing. A `permission-request` stays open until `decide` or until the program
 * withdraws it.
 */
export interface Dialogue {
  open(opening: Opening): Spoken
  hear(state: DialogueState, line: string): Spoken
  /** Whether the program gets parts of this line back. Such a line is heard unchanged, with any secrets in it. */
  echoes?(line: string): boolean
  say(state: DialogueState, text: string): Spoken
  interrupt(state: DialogueState): Spoken
  decide(state: DialogueState, requestId: string, decision: PermissionDecision): Spoken
}
