import { byteLength } from '../byte-length.ts'

/** What a goal, or the tasks a person wants, may have in UTF-8. */
export const MAX_DOCUMENT_BYTES = 1_500_000

export type DocumentFailure =
  | { readonly type: 'goal-empty' }
  | { readonly type: 'goal-too-large'; readonly bytes: number; readonly limit: number }
  | { readonly type: 'task-list-too-large'; readonly bytes: number; readonly limit: number }

export function goalProblem(text: string): DocumentFailure | undefined {
  if (text.trim() === '') return { type: 'goal-empty' }
  const bytes = byteLength(text)
  return bytes > MAX_DOCUMENT_BYTES ? { type: 'goal-too-large', bytes, limit: MAX_DOCUMENT_BYTES } : undefined
}

/** An empty list of tasks is one: nothing in particular is wanted any more. */
export function taskListProblem(text: string): DocumentFailure | undefined {
  const bytes = byteLength(text)
  return bytes > MAX_DOCUMENT_BYTES
    ? { type: 'task-list-too-large', bytes, limit: MAX_DOCUMENT_BYTES }
    : undefined
}
