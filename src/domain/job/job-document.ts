import { byteLength } from '../byte-length.ts'
import type { JobId } from '../id.ts'
import { DOCUMENT_LIMITS } from '../limits/document-limits.ts'

export type DocumentKind = 'goal' | 'task-list'

/** One version of a job's goal or of its requested tasks. Versions never change; a discovery applies them. */
export type JobDocument = {
  readonly jobId: JobId
  readonly kind: DocumentKind
  /** From 1, per kind. */
  readonly number: number
  readonly text: string
  readonly author: 'person' | 'engine'
  readonly createdAt: Date
  /** The cycle whose discovery applied it; absent until one does. */
  readonly cycle?: number
}

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

/** An empty task list is valid: the person no longer requests anything in particular. */
export function taskListProblem(text: string): DocumentFailure | undefined {
  const bytes = byteLength(text)
  return bytes > DOCUMENT_LIMITS.bytes
    ? { type: 'task-list-too-large', bytes, limit: DOCUMENT_LIMITS.bytes }
    : undefined
}
