import type { AgentEvent } from '../domain/event/agent-event.ts'

/** How an agent reaches Muster's own tools. */
export type McpAccess = { readonly url: string; readonly token: string }

/** With what a conversation begins. Paths are absolute. */
export type Opening = {
  readonly prompt: string
  readonly treeDirectory: string
  readonly model?: string
  /** The program's own name of an earlier conversation to go on with. */
  readonly resume?: string
  /** Should the program not know that conversation any more, a new one may begin: the prompt says all it needs. */
  readonly mayBeginAnew?: boolean
  /** `ask`: tools beyond reading and editing the tree wait for a decision. `bypass`: nothing waits. */
  readonly permissions: 'ask' | 'bypass'
  readonly mcp?: McpAccess
}

/** Where a conversation has got to. Plain JSON, small (under 64 KiB), stored with the session. */
export type DialogueState = Readonly<Record<string, unknown>>

/** The next state, what was learnt, and the lines (without line ends) to write to the program. */
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
 * Contract: every method is pure and none ever throws, whatever the program printed and whatever `state` an
 * older version stored. The answer depends on `state` and the arguments alone, so a daemon that died goes on
 * where the last stored state was. Per message that was said (the opening's prompt included) there is exactly
 * one `turn-end`. A `say` during a turn is kept in the state and sent when the program can take it: none is
 * lost. `interrupt` without a turn, and `decide` on a request that is not open, say nothing. A
 * `permission-request` stays open until `decide` or until the program withdraws it.
 */
export interface Dialogue {
  open(opening: Opening): Spoken
  hear(state: DialogueState, line: string): Spoken
  say(state: DialogueState, text: string): Spoken
  interrupt(state: DialogueState): Spoken
  decide(state: DialogueState, requestId: string, decision: PermissionDecision): Spoken
}
