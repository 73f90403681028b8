import { byteLength } from '../byte-length.ts'
import { DOCUMENT_LIMITS } from '../limits/document-limits.ts'

export type DocumentFailure =
  | { readonly type: 'goal-empty' }
  | { readonly type: 'goal-too-large'; readonly bytes: number; readonly limit: number }
  | { readonly type: 'task-list-too-large'; readonly bytes: number; readonly limit: number }

export function goalProblem(text: string): DocumentFailure | undefined {
  if (text.trim() === '') return { type: 'goal-empty' }
  const bytes = byteLength(text)
  return bytes > DOCUMENT_LIMITS.bytes
    ? { type: 'goal-too-large', bytes, limit: DOCUMENT_LIMITS.bytes }
    : undefined
}

/** An empty list of tasks is one: nothing in particular is wanted any more. */
export function taskListProblem(text: string): DocumentFailure | undefined {
  const bytes = byteLength(text)
  return bytes > DOCUMENT_LIMITS.bytes
    ? { type: 'task-list-too-large', bytes, limit: DOCUMENT_LIMITS.bytes }
    : undefined
}
