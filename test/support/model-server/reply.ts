export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly freeform: boolean
  readonly namespace?: string
}

/** What the model says in one reply. */
export type Reply = {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly hang: boolean
}

const PIECE = /[\s\S]{1,24}/g

/** A text as the small pieces in which a model would send it. */
export function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? []
}
