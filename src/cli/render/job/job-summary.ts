import { join } from 'node:path'
import type { WirePinnedWork } from '../../../client/index.ts'
import type { WireJob } from '../../../contract/job.ts'
import type { WireTask } from '../../../contract/task.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { DETACHED } from '../../../domain/job/job.ts'
import { NOTHING_CHECKED } from '../../../domain/landing/no-checks.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import type { MergeReadiness } from '../../follow/merge-readiness.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { reasonLines } from '../text/reason-lines.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { jobEndWords } from './job-end-words.ts'
import { isFinished } from './job-words.ts'
import { mergedLine, readinessLines } from './readiness-lines.ts'
import { unlandedLines } from './unlanded-lines.ts'
import { hasFailed, hasLanded, unlandedTasks } from './unlanded-tasks.ts'

const LINE_LIMIT = 100
const EVIDENCE_LIMIT = 300
const REASON_INDENT = ' '.repeat(9)

export type SummaryOptions = {
  /** `labels` names tasks by their short names, which commands accept only for the newest job. */
  readonly names?: 'labels' | 'ids'
  /** Undefined if nothing is known about it. */
  readonly readiness?: MergeReadiness | undefined
  /** The work that a cancelled job left. */
  readonly unlanded?: readonly WirePinnedWork[]
  /** Whether it was to write a document instead of changing files. */
  readonly hasDocument?: boolean
}

/** The summary of a job: its tasks with reasons, its commits, and what to do next. */
export function jobSummaryLines(
  job: WireJob,
  tasks: readonly WireTask[],
  display: Display,
  { names = 'ids', readiness, unlanded = [], hasDocument = false }: SummaryOptions = {},
): readonly string[] {
  const show = (task: WireTask) =>
    display.hint(`muster show ${names === 'labels' ? taskName(task) : task.id}`)
  return [
    '',
    ...jobOutcomeLines(job, tasks, display.paint, show),
    '',
    ...(hasDocument ? ['your checkout is unchanged'] : endLines(job, tasks, display, readiness)),
    ...unlandedLines(unlanded),
    ...(unlanded.length > 0
      ? [`try: ${display.hint(`muster recover ${job.id}`)}`]
      : tryLines(job, tasks, display, show)),
    ...nextLines(job, tasks, display, readiness),
  ]
}

/** The summary without what to do next. `next` adds a command for each task that did not land. */
export function jobOutcomeLines(
  job: WireJob,
  tasks: readonly WireTask[],
  paint: Paint,
  next?: (task: WireTask) => string,
): readonly string[] {
  return [
    headLine(job, tasks, paint),
    ...tasks.flatMap((task) => taskLines(task, paint, next)),
    ...movedBaseLines(job, paint),
    ...job.evidence.map((evidence) => `  ${paint('dim', `evidence: ${safeLine(evidence, EVIDENCE_LIMIT)}`)}`),
    ...(job.checks.length === 0 ? [paint('warn', `  ${NOTHING_CHECKED}`)] : []),
  ]
}

const SUCCESSES: readonly (string | undefined)[] = ['goal-reached', 'nothing-left', 'task-completed']

/** A job succeeds if it reaches its goal, has nothing left to do, or does its only task. Hitting a limit is a failure. */
export function exitCodeOfJob(job: Pick<WireJob, 'status' | 'reason'>): ExitCode {
  return job.status === 'completed' && SUCCESSES.includes(job.reason) ? EXIT.done : EXIT.failed
}

function headLine(job: WireJob, tasks: readonly WireTask[], paint: Paint): string {
  const good = exitCodeOfJob(job) === EXIT.done
  const unlanded = unlandedTasks(tasks, job).length
  const end = jobEndWords(job, unlanded)
  const words = good ? end : `${end}${landedShare(job, tasks)}`
  const tone = isFinished(job) ? (good ? (unlanded === 0 ? 'good' : 'warn') : 'bad') : 'accent'
  const cost = job.spentUsd === 0 ? '' : `, ${dollars(job.spentUsd)}`
  return `${paint(tone, words)} (${counted(job.currentCycle, 'cycle')}, ${elapsed(job.activeMs)}${cost})`
}

function landedShare(job: WireJob, tasks: readonly WireTask[]): string {
  if (job.status !== 'completed') return ''
  return `, ${tasks.filter(hasLanded).length} of ${tasks.length} tasks landed`
}

export const TASK_TONES = {
  pending: 'dim',
  running: 'accent',
  review: 'accent',
  landing: 'accent',
  completed: 'good',
  failed: 'bad',
  blocked: 'warn',
  skipped: 'dim',
} as const satisfies Record<WireTask['status'], Tone>

function taskLines(
  task: WireTask,
  paint: Paint,
  next: ((task: WireTask) => string) | undefined,
): readonly string[] {
  const state = paint(TASK_TONES[task.status], task.status.padEnd(9))
  const commit = task.commit === undefined ? '' : paint('dim', ` ${task.commit.slice(0, 10)}`)
  const head = `  ${taskName(task).padEnd(6)} ${state} ${safeLine(task.description, LINE_LIMIT)}${commit}`
  const reason = fullReason(task)
  const why = reason === undefined ? [] : reasonLines(reason, LINE_LIMIT)
  const more = next !== undefined && hasFailed(task) ? [`more: ${next(task)}`] : []
  return [head, ...[...why, ...more].map((line) => `${REASON_INDENT}${paint('dim', line)}`)]
}

/** The reason is the first line of the error message, which also contains output. */
function fullReason({ reason, errorMessage }: WireTask): string | undefined {
  if (reason === undefined || errorMessage === undefined) return reason
  return safeHead(errorMessage) === safeHead(reason) ? errorMessage : reason
}

/** Warns that new commits of the base branch could not be merged, so that a later conflict is no surprise. */
function movedBaseLines({ movedBase, baseBranch }: WireJob, paint: Paint): readonly string[] {
  if (movedBase === undefined) return []
  const [head = '', ...rest] = reasonLines(movedBase.problem, LINE_LIMIT)
  const branch = safeLine(baseBranch)
  return [
    paint(
      'warn',
      `  ${branch} has moved to ${movedBase.commit.slice(0, 10)}, which could not be merged: ${head}`,
    ),
    ...rest.map((line) => `  ${paint('dim', line)}`),
  ]
}

function endLines(
  job: WireJob,
  tasks: readonly WireTask[],
  display: Display,
  readiness: MergeReadiness | undefined,
): readonly string[] {
  const landed = tasks.filter(hasLanded).length
  if (landed === 0) {
    return [`${isFinished(job) ? 'nothing landed' : 'nothing has landed yet'}; your checkout is unchanged`]
  }
  if (isUndelivered(job)) return undeliveredLines(job, landed, display)
  const branch = safeLine(job.workingBranch)
  const where =
    readiness?.type === 'merged'
      ? mergedLine(job, readiness, display.paint)
      : `your checkout is unchanged; see: git log ${branch}`
  return [`${counted(landed, 'task')} landed on branch ${branch}`, where]
}

function isUndelivered(job: WireJob): boolean {
  return isFinished(job) && job.status !== 'error' && job.lastError !== undefined
}

/** The commits are in the hub, and git can fetch them from there. */
function undeliveredLines(job: WireJob, landed: number, display: Display): readonly string[] {
  const [head = '', ...rest] = reasonLines(job.lastError ?? '', Number.POSITIVE_INFINITY)
  const lines = [
    display.paint('bad', `${counted(landed, 'task')} landed, but your repository doesn't have the work yet:`),
    `  ${head}`,
    ...rest,
    "the work is safe in Muster's copy of the repository",
  ]
  if (display.home === undefined) return lines
  const hub = join(display.home, 'hubs', `${job.projectId}.git`)
  const branch = shellWord(safeLine(job.workingBranch))
  return [...lines, `fetch it with: git fetch ${shellWord(hub)} ${branch} && git log FETCH_HEAD`]
}

function tryLines(
  job: WireJob,
  tasks: readonly WireTask[],
  display: Display,
  show: (task: WireTask) => string,
): readonly string[] {
  if (!isFinished(job) || exitCodeOfJob(job) === EXIT.done) return []
  const failed = tasks.findLast(hasFailed)
  if (failed !== undefined) return [`try: ${show(failed)}`]
  return [`try: ${display.hint(`muster ${hasFailedBase(job) ? 'base' : 'logs'} ${job.id}`)}`]
}

/** Whether the job ended because of its base, so that no agent has said anything. */
function hasFailedBase({ status, baseStatus }: WireJob): boolean {
  return baseStatus === 'asking' || (baseStatus === 'checking' && status === 'error')
}

/** Whether the work can be merged, and what to do next, if something landed. */
function nextLines(
  job: WireJob,
  tasks: readonly WireTask[],
  { hint, paint }: Display,
  readiness: MergeReadiness | undefined,
): readonly string[] {
  if (!isFinished(job) || !tasks.some(hasLanded)) return []
  const isWhole = isWholeWork(job, tasks)
  const isNotReady = isWhole && readiness?.type === 'not-ready'
  const merge = isNotReady ? 'merge it anyway' : isWhole ? 'merge the work' : 'merge what landed'
  const isMergeable = !isUndelivered(job) && readiness?.type !== 'merged'
  const acts = [
    ['see the report', `muster report ${job.id}`],
    ['see the changes', `muster diff ${job.id}`],
    ...(isMergeable ? [[merge, mergeCommandOf(job)] as const] : []),
  ] as const
  const width = Math.max(...acts.map(([what]) => what.length)) + 1
  return [
    ...readinessLines(job, readiness, paint),
    'next:',
    ...acts.map(([what, command]) => `  ${`${what}:`.padEnd(width)}  ${hint(command)}`),
  ]
}

/** A job that started from a detached HEAD has no base branch, so git merges its work into whatever is checked out. */
function mergeCommandOf({ id, baseBranch, workingBranch }: WireJob): string {
  return baseBranch === DETACHED ? `git merge ${shellWord(safeLine(workingBranch))}` : `muster merge ${id}`
}

/**
 * Whether the job reached its end and all its tasks landed, except those that the person denied. If not, its report says
 * that it is not ready to merge.
 */
function isWholeWork(job: WireJob, tasks: readonly WireTask[]): boolean {
  const hasEndedWell = exitCodeOfJob(job) === EXIT.done
  return hasEndedWell && unlandedTasks(tasks, job).every(({ isDenied }) => isDenied === true)
}
