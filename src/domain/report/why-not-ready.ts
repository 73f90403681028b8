import { assertNever } from '../assert-never.ts'
import type { Job } from '../job/job.ts'
import { isCandidateOver } from '../landing/candidate-state.ts'
import { isLandingOver } from '../landing/landing-state.ts'
import type { Task } from '../task/task.ts'
import type { ReportInput } from './report-input.ts'
import { isChecked, isVerified } from './report-landing.ts'
import { cutLine, REPORT_LIMITS } from './report-limits.ts'
import { supersededBy } from './superseded-by.ts'

/** Every reason why a job's work is not ready to be taken as final; none when it is. */
export function whyNotReady(sight: ReportInput): readonly string[] {
  return [
    ...jobReasons(sight.job),
    ...bounded(taskReasons(sight), 'tasks are not done'),
    ...bounded(landingReasons(sight), 'landings are in doubt'),
    ...openReasons(sight),
    ...baseReasons(sight),
    ...(sight.isDelivered ? [] : [`branch ${sight.job.workingBranch} was not brought into your repository`]),
  ]
}

function jobReasons({ state }: Job): readonly string[] {
  switch (state.type) {
    case 'completed':
      return state.reason === 'goal-reached' || state.reason === 'nothing-left'
        ? []
        : [`the job ended before its goal: ${state.reason}`]
    case 'cancelled':
      return [`the job was cancelled: ${cutLine(state.reason)}`]
    case 'error':
      return [`the job stopped with an error: ${cutLine(state.error)}`]
    case 'pending':
    case 'running':
    case 'paused':
      return [`the job is ${state.type}`]
    default:
      return assertNever(state)
  }
}

/** What the engine could not bring in stays in the way until the base branch is elsewhere, or is in after all. */
function baseReasons({ job, base }: ReportInput): readonly string[] {
  const { baseBranch, workingBranch, movedBase } = job
  if (base?.type === 'forward') return []
  if (base?.type === 'conflict') {
    const paths = base.paths.slice(0, REPORT_LIMITS.listed).join(', ')
    return [`${baseBranch} has moved and conflicts with ${workingBranch} in ${paths}`]
  }
  if (movedBase === undefined || (base !== undefined && base.commit !== movedBase.commit)) return []
  return [
    `${baseBranch} has moved to ${movedBase.commit.slice(0, 10)}, which could not be brought in: ${cutLine(movedBase.problem)}`,
  ]
}

function taskReasons({ tasks }: ReportInput): readonly string[] {
  return tasks
    .filter(({ state }) => state.type !== 'completed' && state.type !== 'skipped')
    .filter((task) => supersededBy(tasks, task) === undefined)
    .map((task) => `task ${labelOf(task)} is ${task.state.type}${whyOf(task)}`)
}

function landingReasons(sight: ReportInput): readonly string[] {
  const landed = sight.landings.filter(({ state }) => state.type === 'landed')
  if (sight.job.plan.checks.length === 0) return ['no checks are configured']
  const unchecked = landed.filter((landing) => !isChecked(sight, landing))
  const unverified = landed.filter((landing) => !isVerified(sight, landing))
  return [
    ...unchecked.map(({ id }) => `landing ${id} has no passed checks on the tree that landed`),
    ...unverified.map(({ id }) => `landing ${id}: git has another tree than the one that was checked`),
  ]
}

function openReasons(sight: ReportInput): readonly string[] {
  const { sessions, attempts, landings, candidates, approvals } = sight
  const counts = [
    [sessions.filter(({ state }) => state.type !== 'terminated').length, 'session'],
    [attempts.filter(({ state }) => state.type !== 'settled').length, 'attempt'],
    [landings.filter(({ state }) => !isLandingOver(state)).length, 'landing'],
    [candidates.filter(({ state }) => !isCandidateOver(state)).length, 'candidate'],
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

function labelOf(task: Task): string {
  return `t${task.cycleNumber}-${task.number}`
}

function whyOf({ state }: Task): string {
  return 'reason' in state ? `: ${cutLine(state.reason)}` : ''
}
