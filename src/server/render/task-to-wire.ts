import type { WireTask, WireTaskDetail } from '../../contract/task.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { Task } from '../../domain/task/task.ts'
import { attemptOf, runIdOf, type TaskState } from '../../domain/task/task-state.ts'
import type { WorkChanges } from '../../domain/task/work-changes.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { TaskView } from '../../engine/queries/tasks.ts'
import { attemptToWire } from './attempt-to-wire.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { landingToWire } from './landing-to-wire.ts'
import { startWaitToWire } from './waiting-to-wire.ts'

export function taskDetailToWire({ task, attempts, landings }: TaskView): WireTaskDetail {
  return {
    ...taskToWire(task),
    attempts: attempts.map((attempt) => attemptToWire(attempt, task)),
    landings: landings.map(landingToWire),
  }
}

export function taskToWire(task: Task): WireTask {
  const { state, playbook, lastFailure, changes, createdAt, startedAt, completedAt, ...rest } = task
  return {
    ...rest,
    files: [...task.files],
    successCriteria: [...task.successCriteria],
    dependsOn: [...task.dependsOn],
    after: [...task.after],
    clauses: [...task.clauses],
    criteria: task.criteria.map((criterion) => ({ ...criterion })),
    origin: task.origin.type === 'conflict' ? { ...task.origin, paths: [...task.origin.paths] } : task.origin,
    filesModified: [...task.filesModified],
    commitsMade: [...task.commitsMade],
    ...(changes === undefined ? {} : { changes: changesToWire(changes) }),
    ...(playbook === undefined ? {} : { playbook: playbook.name }),
    status: state.type,
    ...stateFields(state),
    ...(lastFailure === undefined ? {} : { errorMessage: lastFailure }),
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ startedAt, completedAt }),
  }
}

function changesToWire({ unusual, omissions, ...counts }: WorkChanges): WireTask['changes'] {
  return {
    ...counts,
    unusual: [...unusual],
    ...(omissions === undefined ? {} : { omissions: [...omissions] }),
  }
}

function stateFields(state: TaskState): Partial<WireTask> {
  switch (state.type) {
    case 'pending':
      return state.waiting === undefined ? {} : { waiting: startWaitToWire(state.waiting) }
    case 'running':
    case 'review':
      return withoutUndefined({ attemptId: attemptOf(state), runId: runIdOf(state) })
    case 'landing':
      return { landingId: state.landingId }
    case 'completed':
      return withoutUndefined({ commit: state.commit })
    case 'skipped':
      return { reason: state.reason }
    case 'failed':
      return {
        reason: state.reason,
        ...suggestionOf(state),
        ...(state.isDenied === true ? { isDenied: true } : {}),
      }
    case 'blocked':
      return { reason: state.reason, conflictPaths: [...state.paths], ...suggestionOf(state) }
    default:
      return assertNever(state)
  }
}

function suggestionOf({ suggestion }: { readonly suggestion?: string }): Partial<WireTask> {
  return suggestion === undefined ? {} : { suggestion }
}
