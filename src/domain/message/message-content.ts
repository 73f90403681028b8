import type { SessionId } from '../id.ts'

type FreeForm = Readonly<Record<string, unknown>>

/** A message's kind and what it carries beside its text. Only its sender knows the form of what a text carries. */
export type MessageContent =
  | { readonly kind: 'text' | 'answer'; readonly metadata: FreeForm }
  | { readonly kind: 'progress'; readonly metadata: { readonly percent?: number } }
  | {
      readonly kind: 'complete'
      /** A planner's or a reviewer's answer, in the form its role asks for. */
      readonly metadata: { readonly answer?: FreeForm }
    }
  | {
      readonly kind: 'handoff'
      readonly metadata: { readonly nextSteps: string; readonly reason: string; readonly to?: string }
    }
  | {
      readonly kind: 'question'
      /** The earlier session of the same task that the question is for. */
      readonly metadata: { readonly predecessor?: SessionId }
    }

export type MessageKind = MessageContent['kind']
