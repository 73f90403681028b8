import type { MessagePriority, MessageType } from './message-type.ts'

type Keyed = {
  /** The sender's own id for the message; sending it again has no effect. */
  readonly key?: string | undefined
}

type Expecting = {
  readonly priority?: MessagePriority | undefined
  /** When the reply should be there: an ISO time, or a duration such as `15m`. */
  readonly deadline?: string | undefined
}

export type SendRequest = Keyed &
  Expecting & {
    readonly type: 'send'
    readonly messageType?: MessageType | undefined
    readonly requiresResponse?: boolean | undefined
    readonly to?: string | undefined
    readonly subject?: string | undefined
    readonly body: string
    /** Answers a message that was addressed to the sender; `to` is then that message's sender. */
    readonly inReplyTo?: string | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
  }

export type ProgressRequest = Keyed & {
  readonly type: 'progress'
  readonly text: string
  readonly percent?: number | undefined
}

export type CompleteRequest = Keyed & {
  readonly type: 'complete'
  readonly summary: string
  /** A planner's or a reviewer's answer, in the form its role asks for. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined
}

export type HandoffRequest = Keyed & {
  readonly type: 'handoff'
  readonly summary: string
  readonly nextSteps: string
  readonly reason: string
  /** The agent that continues; by default a fresh session of the same one. */
  readonly to?: string | undefined
}

export type AskRequest = Keyed &
  Expecting & {
    readonly type: 'ask'
    /** `person`, `role:<role>`, or `predecessor`: whoever worked on the same task before. */
    readonly to: string
    readonly subject?: string | undefined
    readonly question: string
  }

/** Everything an agent can send, by whatever channel. */
export type MessageRequest = SendRequest | ProgressRequest | CompleteRequest | HandoffRequest | AskRequest
