export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly freeform: boolean
  readonly namespace?: string
}

/** One reply of the model. */
export type Reply = {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly hang: boolean
}

const PIECE = /[\s\S]{1,24}/g

/** A text, cut into small pieces as a model would stream it. */
export function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? []
}
