import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { reasonLine } from '../../../domain/task/reason-line.ts'
import { suggestionFor } from '../../../domain/task/suggestion-for.ts'
import type { LandingMove } from './store-landing.ts'

/** A landing, and its task, whose candidate became the head. */
export function landedMove(candidate: Candidate): LandingMove {
  const { id, commit, tree, checks } = candidate
  const together = landingIdsOf(candidate).length
  return {
    event: { type: 'branch-moved', commit, tree },
    checks,
    notice: {
      type: 'landing_landed',
      data: { candidateId: id, commit, tree, checks: checks.length, together },
    },
    task: (task) => ({
      event: { type: 'landing-end', commit },
      notice: {
        type: 'task_completed',
        data: { commit, summary: task.resultSummary, filesModified: task.filesModified },
      },
    }),
  }
}

/** A landing, and its task, that brought nothing new: `commit` is the head that has all of it. */
export function containedMove(
  { commit, tree }: { readonly commit: string; readonly tree: string },
  checks: Candidate['checks'],
): LandingMove {
  return {
    event: { type: 'merge-contained', commit, tree },
    checks,
    notice: { type: 'landing_landed', data: { commit, tree, isContained: true } },
    task: (task) => ({
      event: { type: 'landing-end', commit },
      notice: {
        type: 'task_completed',
        data: { commit, summary: 'all of it was there already', filesModified: task.filesModified },
      },
    }),
  }
}

/** A landing, and its task, that conflicts with the head. */
export function conflictMove(paths: readonly string[]): LandingMove {
  const reason = `conflicts with what landed before it in ${paths.join(', ')}`
  return {
    event: { type: 'merge-conflict', paths },
    notice: { type: 'landing_conflicted', data: { paths } },
    task: () => ({
      event: { type: 'landing-conflict', paths },
      notice: { type: 'task_failed', data: { status: 'blocked', error: reason, paths } },
      failure: reason,
    }),
  }
}

/** A landing, and its task, that a check or a person refused. */
export function refusedMove(checks: Candidate['checks'], reason: string): LandingMove {
  const failed = checks.findLast((check) => !check.passed)
  return {
    event: { type: 'landing-reject', reason: reasonLine(reason) },
    checks,
    notice: {
      type: 'landing_rejected',
      data: { ...(failed === undefined ? {} : { check: failed.command }), reason },
    },
    task: (task) => ({
      event: {
        type: 'landing-rejected',
        reason: reasonLine(reason),
        suggestion: suggestionFor({
          type: failed === undefined ? 'approval-denied' : 'check-failed',
          taskId: task.id,
        }),
      },
      notice: { type: 'task_failed', data: { status: 'failed', error: reason } },
      failure: reason,
    }),
  }
}

/** A landing, and its task, whose job ended first. */
export function abandonedMove(reason: string): LandingMove {
  return {
    event: { type: 'landing-reject', reason },
    notice: { type: 'landing_rejected', data: { reason } },
    task: () => ({
      event: { type: 'task-skip', reason },
      notice: { type: 'task_failed', data: { status: 'skipped', error: reason } },
    }),
  }
}
