import type { CandidateId, LandingId } from '../id.ts'
import type { Job } from '../job/job.ts'
import { type Candidate, landingIdsOf } from '../landing/candidate.ts'
import type { CheckResult } from '../landing/check-result.ts'
import type { Landing } from '../landing/landing.ts'
import { NO_CHECKS } from '../landing/no-checks.ts'
import type { Task } from '../task/task.ts'
import { jobPlace, taskPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

type OfTask = { readonly number: number; readonly landingId: LandingId }
type OfCandidate = OfTask & {
  readonly candidateId: CandidateId
  readonly commit: string
  /** How many landings are checked together, including this one. */
  readonly together: number
}

export type LandingEvents = {
  readonly landing_queued: OfTask & {
    /** What its agent left out of the work. */
    readonly omissions?: readonly string[] | undefined
    /** Why it is queued again. */
    readonly again?: string | undefined
  }
  readonly landing_checking: OfCandidate & {
    readonly check: string
    /** The number of checks; only with the first. */
    readonly checks?: number | undefined
    readonly again?: 'failed' | 'lost' | undefined
  }
  readonly landing_checked: OfCandidate & {
    readonly passed: number
    /** Absent in events stored before this field existed. */
    readonly flaky?: readonly string[] | undefined
    /** Checks that fail here and failed on the base. */
    readonly tolerated?: readonly string[] | undefined
    readonly warning?: string | undefined
  }
  readonly landing_landed: Partial<OfCandidate> & {
    readonly commit: string
    readonly tree?: string | undefined
    readonly checks?: number | undefined
    /** The branch already contained all of it. */
    readonly isContained?: boolean | undefined
    /** The base branch that was merged, if this is not a task's work. */
    readonly base?: string | undefined
  }
  readonly landing_conflicted: OfTask & { readonly paths: readonly string[] }
  readonly landing_rejected: Partial<OfTask> & {
    readonly reason: string
    /** The check that failed. */
    readonly check?: string | undefined
    readonly base?: string | undefined
    readonly commit?: string | undefined
  }
}

const event = builderOf<LandingEvents>()

function placeOf(landing: Landing, task: Task) {
  return taskPlace(task, landing.attemptId)
}

function ofTask(landing: Landing, task: Task): OfTask {
  return { number: task.number, landingId: landing.id }
}

function ofCandidate(landing: Landing, task: Task, candidate: Candidate): OfCandidate {
  const { id: candidateId, commit } = candidate
  return { ...ofTask(landing, task), candidateId, commit, together: landingIdsOf(candidate).length }
}

export function landingQueued(
  landing: Landing,
  task: Task,
  why: Pick<LandingEvents['landing_queued'], 'omissions' | 'again'>,
) {
  return event('landing_queued', placeOf(landing, task), { ...ofTask(landing, task), ...why })
}

export function landingChecking(
  landing: Landing,
  task: Task,
  candidate: Candidate,
  check: Pick<LandingEvents['landing_checking'], 'check' | 'checks' | 'again'>,
) {
  const data = { ...ofCandidate(landing, task, candidate), ...check }
  return event('landing_checking', placeOf(landing, task), data)
}

export function landingChecked(
  landing: Landing,
  task: Task,
  candidate: Candidate,
  checks: readonly CheckResult[],
) {
  const tolerated = checks.filter(({ failedOnBase }) => failedOnBase === true).map(({ command }) => command)
  return event('landing_checked', placeOf(landing, task), {
    ...ofCandidate(landing, task, candidate),
    passed: checks.filter(({ passed }) => passed).length,
    flaky: checks.filter(({ isFlaky }) => isFlaky === true).map(({ command }) => command),
    tolerated: tolerated.length === 0 ? undefined : tolerated,
    warning: checks.length === 0 ? NO_CHECKS : undefined,
  })
}

export function landingLanded(landing: Landing, task: Task, candidate: Candidate) {
  const { tree, checks } = candidate
  const data = { ...ofCandidate(landing, task, candidate), tree, checks: checks.length }
  return event('landing_landed', placeOf(landing, task), data)
}

export function landingContained(
  landing: Landing,
  task: Task,
  head: { readonly commit: string; readonly tree: string },
) {
  const data = { ...ofTask(landing, task), ...head, isContained: true }
  return event('landing_landed', placeOf(landing, task), data)
}

export function landingConflicted(landing: Landing, task: Task, paths: readonly string[]) {
  return event('landing_conflicted', placeOf(landing, task), { ...ofTask(landing, task), paths })
}

export function landingRejected(landing: Landing, task: Task, reason: string, check?: string) {
  return event('landing_rejected', placeOf(landing, task), { ...ofTask(landing, task), reason, check })
}

export function baseLanded(job: Job, commit: string) {
  return event('landing_landed', jobPlace(job), { base: job.baseBranch, commit })
}

export function baseRejected(job: Job, commit: string, problem: string) {
  const { baseBranch: base } = job
  return event('landing_rejected', jobPlace(job), { base, commit, reason: `${base} moved, and ${problem}` })
}
