import type { SessionId, VisitId } from '../id.ts'

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
  /** What a stage of a run passes on. It is in the prompts of those who need it, so nobody receives it as a message. */
  | { readonly kind: 'output'; readonly metadata: StageOutput }

export type StageOutput = {
  readonly stage: string
  /** Absent for the task that the run starts with. */
  readonly visitId?: VisitId
  readonly round?: number
  /** From 1 if the stage has branches. */
  readonly branch?: number
  readonly outcome?: string
  readonly commit?: string
}

export type MessageKind = MessageContent['kind']
