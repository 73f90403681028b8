import type { Redact } from './redact.ts'
import type { CutEdges } from './redact-edges.ts'

/**
 * Replaces known secrets with their names. Whatever shortens a text redacts it first: in half a secret, nothing finds
 * the secret any more.
 */
export type Redaction = {
  readonly redact: Redact
  /** Redacts a part of a longer text, including a part of a secret at an edge where the text was cut. */
  readonly redactPiece: (text: string, edges: CutEdges) => string
}
