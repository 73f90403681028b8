import { assertNever } from '../assert-never.ts'
import type { Job } from '../job/job.ts'
import type { CompletionReason } from '../job/job-state.ts'
import { isCandidateFinished } from '../landing/candidate-state.ts'
import { isLandingFinished, type Landing } from '../landing/landing.ts'
import { NO_CHECKS } from '../landing/no-checks.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import { describeTaskState } from '../task/describe-task-state.ts'
import type { Task } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'
import { isTaskDenied } from '../task/task-state.ts'
import { isCovered } from './covered-by.ts'
import { cutLine } from './cut-text.ts'
import type { ReportInput } from './report-input.ts'
import { isChecked, isVerified } from './report-landing.ts'

const EARLY_ENDS = {
  'goal-reached': [],
  'nothing-left': [],
  'max-cycles-reached': ['the job hit its cycle limit before the goal was reached'],
  'time-limit-reached': ['the job hit its time limit before the goal was reached'],
  'budget-reached': ['the job used up its budget before the goal was reached'],
  'no-progress': ['the job made no more progress and stopped before the goal was reached'],
  'goal-doubted': ['the planner reported the goal as reached, but none of its tasks landed'],
  'task-completed': [],
  'task-blocked': ['the job stopped because its task is blocked'],
  'task-failed': ['the job stopped because its task failed'],
} as const satisfies Record<CompletionReason, readonly string[]>

/** Every reason why a job's result is not ready; none if it is. */
export function whyNotReady(snapshot: ReportInput): readonly string[] {
  return [
    ...jobReasons(snapshot.job),
    ...bounded(taskReasons(snapshot), 'tasks are not done'),
    ...bounded(landingReasons(snapshot), 'landings are unverified'),
    ...openReasons(snapshot),
    ...baseReasons(snapshot),
    ...(snapshot.isDelivered || snapshot.base?.type === 'merged'
      ? []
      : [`branch ${snapshot.job.workingBranch} has not been delivered to your repository`]),
  ]
}

function jobReasons({ state }: Job): readonly string[] {
  switch (state.type) {
    case 'completed':
      return EARLY_ENDS[state.reason]
    case 'cancelled':
      return [
        state.reason === undefined
          ? 'the job was cancelled'
          : `the job was cancelled: ${cutLine(state.reason)}`,
      ]
    case 'error':
      return [`the job failed: ${cutLine(state.error)}`]
    case 'pending':
    case 'running':
    case 'paused':
      return [`the job is ${state.type}`]
    default:
      return assertNever(state)
  }
}

/** A base commit that could not be merged blocks the job until the base branch moves away from it or it is merged. */
function baseReasons({ job, base }: ReportInput): readonly string[] {
  const { baseBranch, workingBranch, movedBase } = job
  if (base?.type === 'forward' || base?.type === 'merged') return []
  if (base?.type === 'conflict') {
    const paths = base.paths.slice(0, REPORT_LIMITS.listed).join(', ')
    return [`${baseBranch} has moved and conflicts with ${workingBranch} in ${paths}`]
  }
  if (movedBase === undefined || (base !== undefined && base.commit !== movedBase.commit)) return []
  return [
    `${baseBranch} has moved to ${movedBase.commit.slice(0, 10)}, which could not be merged: ${cutLine(movedBase.problem)}`,
  ]
}

/** The tasks that a person denied and that no later work covers. The person's own decision is no reason against the rest. */
export function deniedTasks(snapshot: ReportInput): readonly Task[] {
  return snapshot.tasks
    .filter((task) => isTaskDenied(task.state) && !isCovered(snapshot, task))
    .slice(0, REPORT_LIMITS.listed)
}

function taskReasons(snapshot: ReportInput): readonly string[] {
  return snapshot.tasks
    .filter(({ state }) => state.type !== 'completed' && state.type !== 'skipped' && !isTaskDenied(state))
    .filter((task) => !isCovered(snapshot, task))
    .map((task) => `task ${taskName(task)} ${describeTaskState(task.state)}${whyOf(task)}`)
}

function landingReasons(snapshot: ReportInput): readonly string[] {
  const landed = snapshot.landings.filter(({ state }) => state.type === 'landed')
  if (snapshot.job.plan.checks.length === 0) return [NO_CHECKS]
  const unchecked = landed.filter((landing) => !isChecked(snapshot, landing))
  const unverified = landed.filter((landing) => !isVerified(snapshot, landing))
  return [
    ...unchecked.map(uncheckedWords),
    ...unverified.map(({ id }) => `landing ${id}: the tree in git differs from the one that was checked`),
  ]
}

function uncheckedWords({ id, checks }: Landing): string {
  const failing = checks.filter(({ failedOnBase }) => failedOnBase === true)
  if (failing.length === 0) return `landing ${id} has no passed checks on the tree that landed`
  const named = failing.map(({ command }) => `"${cutLine(command)}"`).join(', ')
  return `landing ${id} landed with a failing check that also fails on the base: ${named}`
}

function openReasons(snapshot: ReportInput): readonly string[] {
  const { sessions, attempts, landings, candidates, approvals } = snapshot
  const counts = [
    [sessions.filter(({ state }) => state.type !== 'terminated').length, 'session'],
    [attempts.filter(({ state }) => state.type !== 'settled').length, 'attempt'],
    [landings.filter(({ state }) => !isLandingFinished(state)).length, 'landing'],
    [candidates.filter(({ state }) => !isCandidateFinished(state)).length, 'candidate'],
    [approvals.length, 'approval'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => (count === 1 ? `1 ${noun} is open` : `${count} ${noun}s are open`))
}

function bounded(reasons: readonly string[], more: string): readonly string[] {
  if (reasons.length <= REPORT_LIMITS.listed) return reasons
  const shown = reasons.slice(0, REPORT_LIMITS.listed)
  return [...shown, `and ${reasons.length - shown.length} more ${more}`]
}

function whyOf({ state }: Task): string {
  return 'reason' in state ? `: ${cutLine(state.reason)}` : ''
}
