import {
  landingConflicted,
  landingContained,
  landingLanded,
  landingRejected,
} from '../../../domain/event/landing-events.ts'
import { type TaskFailure, taskCompleted, taskFailed } from '../../../domain/event/task-events.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { reasonLine } from '../../../domain/task/reason-line.ts'
import { suggestionFor } from '../../../domain/task/suggestion-for.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { LandingMove } from './store-landing.ts'

/** The landing's candidate became the head, and its task is completed. */
export function landedMove(candidate: Candidate): LandingMove {
  const { commit, tree, checks } = candidate
  return {
    event: { type: 'branch-moved', commit, tree },
    checks,
    notice: (landing, task) => landingLanded(landing, task, candidate),
    task: (landing, task) => ({
      event: { type: 'landing-end', commit },
      notice: taskCompleted(task, landing, commit),
    }),
  }
}

/** The landing brought nothing new: `commit` is the head, which already contains its work. */
export function containedMove(
  head: Pick<Candidate, 'commit' | 'tree'>,
  checks: Candidate['checks'],
): LandingMove {
  const { commit, tree } = head
  return {
    event: { type: 'merge-contained', commit, tree },
    checks,
    notice: (landing, task) => landingContained(landing, task, head),
    task: (landing, task) => ({
      event: { type: 'landing-end', commit },
      notice: taskCompleted(task, landing, commit, 'its changes were already on the branch'),
    }),
  }
}

/** The landing conflicts with the head, which blocks its task. */
export function conflictMove(paths: readonly string[]): LandingMove {
  const reason = `conflicts in ${paths.join(', ')} with work that landed earlier`
  return {
    event: { type: 'merge-conflict', paths },
    notice: (landing, task) => landingConflicted(landing, task, paths),
    task: (landing, task) => ({
      event: { type: 'landing-conflict', paths },
      notice: failed(landing, task, { status: 'blocked', error: reason, paths }),
      failure: reason,
    }),
  }
}

/** A check refused the landing, or a person denied it, so its task has failed. */
export function refusedMove(checks: Candidate['checks'], reason: string, isDenied = false): LandingMove {
  const broken = isDenied ? undefined : checks.findLast((check) => !check.passed)
  return {
    event: { type: 'landing-reject', reason: reasonLine(reason) },
    checks,
    notice: (landing, task) => landingRejected(landing, task, reason, broken?.command),
    task: (landing, task) => ({
      event: {
        type: 'landing-rejected',
        reason: reasonLine(reason),
        suggestion: suggestionFor(
          broken === undefined
            ? { type: 'approval-denied', taskId: task.id, jobId: task.jobId }
            : { type: 'check-failed', taskId: task.id },
        ),
        ...(isDenied ? { isDenied: true } : {}),
      },
      notice: failed(landing, task, { status: 'failed', error: reason }),
      failure: reason,
    }),
  }
}

/** The job ended before the landing did. */
export function abandonedMove(reason: string): LandingMove {
  return {
    event: { type: 'landing-reject', reason },
    notice: (landing, task) => landingRejected(landing, task, reason),
    task: (landing, task) => ({
      event: { type: 'task-skip', reason },
      notice: failed(landing, task, { status: 'skipped', error: reason }),
    }),
  }
}

function failed(landing: Landing, task: Task, failure: TaskFailure) {
  return taskFailed(task, { ...failure, landingId: landing.id }, landing.attemptId)
}
