import { join } from 'node:path'
import type { WireJob } from '../../../contract/job.ts'
import type { WireTask } from '../../../contract/task.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { shellWord } from '../../hint.ts'
import { taskLabel } from '../task/task-label.ts'
import { counted } from '../text/counted.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { reasonLines } from '../text/reason-lines.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { jobEndWords } from './job-end-words.ts'

const LINE_LIMIT = 100
const REASON_INDENT = ' '.repeat(9)

/**
 * What became of a job: its tasks with their reasons, its commits, and where to look at them. Tasks can be named by
 * their `labels` where the job is the one that is meant without a name.
 */
export function jobSummaryLines(
  job: WireJob,
  tasks: readonly WireTask[],
  look: Look,
  names: 'labels' | 'ids' = 'ids',
): readonly string[] {
  const show = (task: WireTask) => look.hint(`muster show ${names === 'labels' ? taskLabel(task) : task.id}`)
  return [
    '',
    ...jobOutcomeLines(job, tasks, look.paint, show),
    '',
    ...endLines(job, tasks, look),
    ...tryLines(job, tasks, look, show),
    ...nextLines(job, tasks, look),
  ]
}

/** The same without what to do next, or with `next` for what says more about a task that did not land. */
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
    ...job.evidence.map((evidence) => `  ${paint('dim', `evidence: ${safeLine(evidence, LINE_LIMIT)}`)}`),
    ...(job.checks.length === 0 ? [paint('warn', '  no checks are configured: nothing was tested')] : []),
  ]
}

/** A job that reached its goal, or found nothing left to do, is a success; one that ran out of something is not. */
export function exitCodeOfJob(job: Pick<WireJob, 'status' | 'reason'>): ExitCode {
  const reached = job.reason === 'goal-reached' || job.reason === 'nothing-left'
  return job.status === 'completed' && reached ? EXIT.done : EXIT.failed
}

function headLine(job: WireJob, tasks: readonly WireTask[], paint: Paint): string {
  const good = exitCodeOfJob(job) === EXIT.done
  const words = good ? jobEndWords(job) : `${jobEndWords(job)}${landedShare(job, tasks)}`
  const tone = isOver(job) ? (good ? 'good' : 'bad') : 'accent'
  const cost = job.spentUsd === 0 ? '' : `, ${dollars(job.spentUsd)}`
  return `${paint(tone, words)} (${counted(job.currentCycle, 'cycle')}, ${elapsed(job.activeMs)}${cost})`
}

function landedShare(job: WireJob, tasks: readonly WireTask[]): string {
  if (job.status !== 'completed') return ''
  return `, ${tasks.filter(hasLanded).length} of ${counted(tasks.length, 'task')} landed`
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
  const head = `  ${taskLabel(task).padEnd(6)} ${state} ${safeLine(task.description, LINE_LIMIT)}${commit}`
  const reason = fullReason(task)
  const why = reason === undefined ? [] : reasonLines(reason, LINE_LIMIT)
  const more = next !== undefined && hasFailed(task) ? [`more: ${next(task)}`] : []
  return [head, ...[...why, ...more].map((line) => `${REASON_INDENT}${paint('dim', line)}`)]
}

/** The reason is one line; the failure it was taken from has the output that tells more. */
function fullReason({ reason, errorMessage }: WireTask): string | undefined {
  if (reason === undefined || errorMessage === undefined) return reason
  return safeHead(errorMessage) === safeHead(reason) ? errorMessage : reason
}

/** What others brought into the base branch meanwhile is not in the work: said, so that a merge is no surprise. */
function movedBaseLines({ movedBase, baseBranch }: WireJob, paint: Paint): readonly string[] {
  if (movedBase === undefined) return []
  const [head = '', ...rest] = reasonLines(movedBase.problem, LINE_LIMIT)
  const branch = safeLine(baseBranch)
  return [
    paint(
      'warn',
      `  ${branch} has moved to ${movedBase.commit.slice(0, 10)}, which was not taken in: ${head}`,
    ),
    ...rest.map((line) => `  ${paint('dim', line)}`),
  ]
}

function endLines(job: WireJob, tasks: readonly WireTask[], look: Look): readonly string[] {
  const landed = tasks.filter(hasLanded).length
  if (landed === 0) return ['nothing landed, and nothing was changed in your checkout']
  if (isUndelivered(job)) return undeliveredLines(job, landed, look)
  const branch = safeLine(job.workingBranch)
  return [
    `${counted(landed, 'task')} landed on branch ${branch}`,
    `nothing was changed in your checkout; see: git log ${branch}`,
  ]
}

function isUndelivered(job: WireJob): boolean {
  return isOver(job) && job.status !== 'error' && job.lastError !== undefined
}

/** The commits are in Muster's own copy of the repository, from where git can fetch them. */
function undeliveredLines(job: WireJob, landed: number, look: Look): readonly string[] {
  const [head = '', ...rest] = reasonLines(job.lastError ?? '', Number.POSITIVE_INFINITY)
  const lines = [
    look.paint('bad', `${counted(landed, 'task')} landed, and your repository does not have the work yet:`),
    `  ${head}`,
    ...rest,
    "it is safe in Muster's own copy",
  ]
  if (look.home === undefined) return lines
  const hub = join(look.home, 'hubs', `${job.projectId}.git`)
  const branch = shellWord(safeLine(job.workingBranch))
  return [...lines, `fetch it from there: git fetch ${shellWord(hub)} ${branch} && git log FETCH_HEAD`]
}

function tryLines(
  job: WireJob,
  tasks: readonly WireTask[],
  look: Look,
  show: (task: WireTask) => string,
): readonly string[] {
  if (!isOver(job) || exitCodeOfJob(job) === EXIT.done) return []
  const failed = tasks.findLast(hasFailed)
  return [`try: ${failed === undefined ? look.hint(`muster logs ${job.id}`) : show(failed)}`]
}

/** What leads on from here, once there is something to take. */
function nextLines(job: WireJob, tasks: readonly WireTask[], { hint }: Look): readonly string[] {
  if (!isOver(job) || !tasks.some(hasLanded)) return []
  return [
    'next:',
    `  what it rests on:   ${hint(`muster report ${job.id}`)}`,
    `  what it changes:    ${hint(`muster diff ${job.id}`)}`,
    ...(isUndelivered(job) ? [] : [`  take it:            ${hint(`muster merge ${job.id}`)}`]),
  ]
}

function isOver(job: WireJob): boolean {
  return job.status === 'completed' || job.status === 'cancelled' || job.status === 'error'
}

function hasLanded(task: WireTask): boolean {
  return task.commit !== undefined
}

function hasFailed(task: WireTask): boolean {
  return task.status === 'failed' || task.status === 'blocked'
}
