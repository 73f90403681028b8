import type { JobId } from '../id.ts'

export type DocumentKind = 'goal' | 'task-list'

/** One version of the goal, or of the tasks a person wants, of a job. Versions are never changed, only taken up. */
export type JobDocument = {
  readonly jobId: JobId
  readonly kind: DocumentKind
  /** From 1, for each kind. */
  readonly number: number
  readonly text: string
  readonly author: 'person' | 'engine'
  readonly createdAt: Date
  /** The cycle whose discovery took it up; absent while it waits for one. */
  readonly cycle?: number
}
