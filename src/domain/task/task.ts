import type { CycleId, JobId, TaskId } from '../id.ts'
import type { RunInputs } from '../run/run.ts'
import type { CriterionResult } from './criterion-result.ts'
import type { TaskState } from './task-state.ts'
import type { WorkChanges } from './work-changes.ts'

export type Priority = 'P0' | 'P1' | 'P2'

/** The playbook that works on a task, as it was when the job first used it, and the values of its inputs. */
export type TaskPlaybook = {
  readonly name: string
  readonly hash: string
  readonly inputs: RunInputs
  /** The hashes of the playbooks that its stages can follow, by name; absent if there are none. */
  readonly children?: Readonly<Record<string, string>>
}

/** The field `children` of a task's playbook. */
export function childHashes(
  children: readonly { readonly name: string; readonly hash: string }[],
): Pick<TaskPlaybook, 'children'> {
  if (children.length === 0) return {}
  return { children: Object.fromEntries(children.map(({ name, hash }) => [name, hash])) }
}

/** A task as a planner proposes it, before it has a row. */
export type TaskDraft = {
  readonly description: string
  readonly context: string
  readonly files: readonly string[]
  readonly parallel: boolean
  readonly priority: Priority
  readonly successCriteria: readonly string[]
  /** Numbers, from 1 and within the same answer, of the tasks that must land first. */
  readonly dependsOn: readonly number[]
  /** Numbers of tasks that must only finish first, because they are likely to change the same files. */
  readonly after?: readonly number[]
  /** Numbers, from 1, of the clauses of the goal that it serves. */
  readonly clauses: readonly number[]
  readonly agent?: string
  /** The playbook that works on it, instead of an agent. */
  readonly playbook?: TaskPlaybook
}

/** One unit of work in a cycle. */
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
  /** Tasks it waits for because they change the same files, whatever their outcome. */
  readonly after: readonly number[]
  readonly clauses: readonly number[]
  readonly agent?: string
  /** The playbook that works on it, instead of an agent. */
  readonly playbook?: TaskPlaybook
  readonly origin: TaskOrigin
  readonly branch: string
  readonly state: TaskState
  readonly retryCount: number
  /** How often a reviewer has sent it back. */
  readonly rounds: number
  readonly lastFailure?: string
  readonly resultSummary?: string
  readonly criteria: readonly CriterionResult[]
  /** How much its work changes; absent until there is work, and in tasks stored before this field existed. */
  readonly changes?: WorkChanges
  readonly filesModified: readonly string[]
  readonly commitsMade: readonly string[]
  readonly version: number
  readonly createdAt: Date
  readonly startedAt?: Date
  readonly completedAt?: Date
}

/** Where a task comes from: a planner, a person, work that could not be merged, or a base that fails. */
export type TaskOrigin =
  | { readonly type: 'planned' }
  /** The goal of a job without a planner. */
  | { readonly type: 'given' }
  | {
      readonly type: 'conflict'
      readonly taskId: TaskId
      /** The commit with the work to merge. */
      readonly tip: string
      readonly paths: readonly string[]
    }
  /** Makes the base pass. `isSetup`: a setup command fails, so none runs before its agent. */
  | { readonly type: 'base'; readonly isSetup: boolean }
