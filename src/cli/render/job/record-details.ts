import type {
  WireAttempt,
  WireJob,
  WireJobStatus,
  WireLanding,
  WireTask,
  WireTaskDetail,
} from '../../../client/index.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { landingStateWords } from '../../../domain/landing/landing-wait.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { describeChanges } from '../../../domain/task/work-changes.ts'
import { checkLines } from '../task/check-lines.ts'
import { omissionWords } from '../task/omission-words.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import type { Display } from '../text/display.ts'
import { momentOrNothing } from '../text/elapsed.ts'
import { fieldLines, indentedText } from '../text/field-lines.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { documentName } from './document-lines.ts'
import { jobSummaryLines, type SummaryOptions, TASK_TONES } from './job-summary.ts'
import { jobWaitingLines } from './waiting-lines.ts'

const SHOWN_FILES = 30

export function jobDetailLines(
  job: WireJob,
  tasks: readonly WireTask[],
  now: Date,
  display: Display,
  options: SummaryOptions = {},
): readonly string[] {
  return [
    display.paint('strong', job.id),
    ...jobSummaryLines(job, tasks, display, options).slice(1),
    // Before the long part, so that no one misses what the job needs from them.
    ...jobWaitingLines(job.waiting ?? [], now, display),
    '',
    ...fieldLines([
      ['repository', job.repositoryPath],
      ['base', `${job.baseBranch} at ${job.baseCommit.slice(0, 10)}`],
      ['uncommitted', snapshotWords(job)],
      ['base moved', movedWords(job)],
      ['branch', job.workingBranch],
      ['planner', job.planner],
      ['worker', job.worker],
      ['reviewer', job.reviewer],
      ['mode', job.mode],
      ['user', job.userId],
      ['checks', job.checks.join('; ') || 'none'],
      ['parallel', job.limits.maxParallelTasks],
      ['max cycles', job.limits.maxCycles],
      ['time limit', limitWords(job.limits.timeLimitMinutes)],
      ['spent', spentWords(job)],
      ['waiting', waitingWords(job)],
      ['started', momentOrNothing(job.startedAt, now)],
      ['ended', momentOrNothing(job.completedAt, now)],
    ]),
    '',
    ...indentedText(job.requestDocument),
  ]
}

/** The files of a snapshot that the job started from. */
function snapshotWords({ snapshot }: WireJob): string | undefined {
  if (snapshot === undefined) return undefined
  const more = snapshot.fileCount - snapshot.files.length
  const names = snapshot.files.join(', ')
  return `${names}${more > 0 ? ` and ${more} more` : ''}, on top of ${snapshot.head.slice(0, 10)}`
}

/** 8h, 1h30m, 45m. */
function limitWords(minutes: number | undefined): string | undefined {
  if (minutes === undefined) return undefined
  const hours = Math.floor(minutes / 60)
  const rest = Math.round((minutes % 60) * 100) / 100
  return `${hours === 0 ? '' : `${hours}h`}${rest === 0 && hours > 0 ? '' : `${rest}m`}`
}

function movedWords({ movedBase }: WireJob): string | undefined {
  if (movedBase === undefined) return undefined
  return `to ${movedBase.commit.slice(0, 10)}, which could not be merged: ${safeHead(movedBase.problem)}`
}

/** Counts only what programs report. A program without prices costs nothing here. */
function spentWords({ spentUsd, limits }: WireJob): string | undefined {
  if (limits.budgetUsd !== undefined) return `${dollars(spentUsd)} of ${dollars(limits.budgetUsd)}`
  return spentUsd === 0 ? undefined : dollars(spentUsd)
}

/** Edits that apply from the next cycle. */
function waitingWords({ waitingDocuments, currentCycle }: WireJob): string | undefined {
  // Before the first cycle, the first version is not an edit.
  const edits = waitingDocuments.filter(({ number }) => currentCycle > 0 || number > 1)
  const names = edits.map(({ kind, number }) => `${documentName(kind)} (version ${number})`)
  return names.length === 0 ? undefined : `${names.join(' and ')}, for the next cycle`
}

/** The details of a task. `wait` is what the task is waiting for. */
export function taskDetailLines(
  task: WireTaskDetail,
  display: Display,
  wait: string | undefined,
  jobStatus?: WireJobStatus,
): readonly string[] {
  const { paint } = display
  const isFinished = task.status === 'completed'
  return [
    `${paint('strong', task.id)} ${taskName(task)} ${paint(TASK_TONES[task.status], task.status)}`,
    ...fieldLines([
      ['description', task.description],
      ['now', wait],
      ['why', isFinished ? undefined : headOrNothing(task.reason ?? task.errorMessage)],
      ['next', taskSuggestion(task.suggestion, `muster show ${task.id}`, jobStatus)],
      ['conflicts', task.conflictPaths?.join(', ') || undefined],
      ['priority', task.priority],
      ['agent', task.agent],
      ['playbook', task.playbook],
      ['branch', task.branch],
      ['commit', task.commit],
      ['changes', task.changes === undefined ? undefined : describeChanges(task.changes)],
      ['unusual', task.changes?.unusual.join('; ') || undefined],
      ['left out', omissionWords(task.changes?.omissions)],
      ['files', filesWords(task.filesModified)],
      ['result', task.resultSummary],
      ['job', task.jobId],
    ]),
    ...task.successCriteria.flatMap((criterion, index) => criterionLines(task, criterion, index + 1)),
    ...triesOf(task).flatMap(([attempt, number]) => attemptLines(attempt, number)),
    ...task.landings.flatMap((landing) => ['', ...landingDetailLines(landing, display)]),
  ]
}

/** The counts say how many there are. A list of thousands would hide everything else. */
function filesWords(files: readonly string[]): string | undefined {
  if (files.length <= SHOWN_FILES) return files.join(', ') || undefined
  return `${files.slice(0, SHOWN_FILES).join(', ')} and more`
}

export function landingDetailLines(landing: WireLanding, { paint, hint }: Display): readonly string[] {
  const { approvalId } = landing
  const acts = approvalId === undefined ? [] : [`muster diff ${approvalId}`, `muster approve ${approvalId}`]
  return [
    `${paint('strong', landing.id)} ${approvalId === undefined ? landingStateWords(landing.status, landing.waitsFor) : paint('warn', 'waiting for your approval')}`,
    ...fieldLines([
      ['approval', approvalId],
      ...acts.map((act, index) => [index === 0 ? 'try' : '', hint(act)] as const),
      ['why', headOrNothing(landing.reason)],
      ['conflicts', landing.conflictPaths?.join(', ') || undefined],
      ['branch', landing.branch],
      ['tip', landing.tip],
      ['commit', landing.commit],
      ['tree', landing.tree],
      ['candidate', landing.candidateId],
      ['batched with', landing.mates?.join(', ') || undefined],
      ['task', landing.taskId],
    ]),
    ...checkLines(landing.checks, paint),
  ]
}

/** A criterion, and whether it is met according to its agent or a reviewer. */
function criterionLines(task: WireTask, criterion: string, number: number): readonly string[] {
  const line = `  criterion: ${safeLine(criterion)}`
  const result = task.criteria.find((candidate) => candidate.number === number)
  if (result === undefined) return [line]
  const evidence = result.evidence === '' ? '' : `: ${safeHead(result.evidence)}`
  return [line, `    ${result.isMet ? 'met' : 'not met'} according to the ${result.by}${evidence}`]
}

/** A review whose answer could not be used has rejected nothing. */
function outcomeWords({ judges, verdict, outcome, ending, status }: WireAttempt): string {
  if (judges && verdict === undefined && outcome === 'rejected') return 'no verdict'
  return verdict?.type ?? outcome ?? ending ?? status
}

/** The attempts at a task, or the reviews of it. Those of a run are counted here, because each visit counts its own. */
function triesOf({ attempts }: WireTaskDetail): readonly (readonly [attempt: WireAttempt, number: number])[] {
  return attempts.map((attempt, index) => {
    if (attempt.purpose !== 'visit') return [attempt, attempt.number]
    const alike = attempts.slice(0, index + 1).filter(({ judges }) => judges === attempt.judges)
    return [attempt, alike.length]
  })
}

function attemptLines(attempt: WireAttempt, number: number): readonly string[] {
  const outcome = outcomeWords(attempt)
  const issue = attempt.verdict?.issues[0]?.issue ?? attempt.reason
  const why = issue === undefined ? '' : `: ${safeHead(issue)}`
  const what = attempt.judges ? 'review' : 'attempt'
  return [
    `  ${what} ${number} by ${safeLine(attempt.agent)} (${attempt.sessionId}) ${outcome}${why}`,
    ...attempt.handoffs.map(
      (note) =>
        `    handed over from ${safeLine(note.fromAgent)} to ${safeLine(note.to)}: ${safeHead(note.reason || note.summary)}`,
    ),
  ]
}

/** Only the first line: the output of the check, below, has the rest. */
function headOrNothing(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeHead(text)
}
