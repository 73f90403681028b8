import type { CycleId, JobId, TaskId } from '../id.ts'
import type { CriterionResult } from './criterion-result.ts'
import type { TaskOrigin } from './task-origin.ts'
import type { TaskState } from './task-state.ts'

export type Priority = 'P0' | 'P1' | 'P2'

/** What a planner asks for, before it has a row. */
export type TaskDraft = {
  readonly description: string
  readonly context: string
  readonly files: readonly string[]
  readonly parallel: boolean
  readonly priority: Priority
  readonly successCriteria: readonly string[]
  /** Numbers, within the same answer and from 1, of the tasks that must have landed first. */
  readonly dependsOn: readonly number[]
  /** The same of those that are only to be over first, because they are likely to change the same files. */
  readonly after?: readonly number[]
  /** Numbers, from 1, of the clauses of the goal that it serves. */
  readonly clauses: readonly number[]
  readonly agent?: string
}

/** One unit of work of a cycle. */
export type Task = {
  readonly id: TaskId
  readonly jobId: JobId
  readonly cycleId: CycleId
  readonly cycleNumber: number
  readonly number: number
  readonly description: string
  readonly context: string
  readonly files: readonly string[]
  readonly parallel: boolean
  readonly priority: Priority
  readonly successCriteria: readonly string[]
  readonly dependsOn: readonly number[]
  /** Tasks it waits for because they change the same files; how they end does not matter to it. */
  readonly after: readonly number[]
  readonly clauses: readonly number[]
  readonly agent?: string
  readonly origin: TaskOrigin
  readonly branch: string
  readonly state: TaskState
  readonly retryCount: number
  /** How often a reviewer has sent it back. */
  readonly rounds: number
  /** Where its next attempt begins instead of the head: the work that is to be revised. */
  readonly startFrom?: string
  readonly lastFailure?: string
  readonly resultSummary?: string
  readonly criteria: readonly CriterionResult[]
  readonly filesModified: readonly string[]
  readonly commitsMade: readonly string[]
  readonly version: number
  readonly createdAt: Date
  readonly startedAt?: Date
  readonly completedAt?: Date
}
