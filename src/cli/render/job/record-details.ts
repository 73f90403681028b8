import type {
  WireAttempt,
  WireJob,
  WireJobStatus,
  WireLanding,
  WireTask,
  WireTaskDetail,
} from '../../../client/index.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { checkLines } from '../task/check-lines.ts'
import { taskLabel } from '../task/task-label.ts'
import { taskSuggestion } from '../task/task-suggestion.ts'
import { momentOrNothing } from '../text/elapsed.ts'
import { fieldLines, indentedText } from '../text/field-lines.ts'
import type { Look } from '../text/look.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import { documentName } from './document-lines.ts'
import { jobSummaryLines, TASK_TONES } from './job-summary.ts'

export function jobDetailLines(
  job: WireJob,
  tasks: readonly WireTask[],
  now: Date,
  look: Look,
): readonly string[] {
  return [
    look.paint('strong', job.id),
    ...jobSummaryLines(job, tasks, look).slice(1),
    '',
    ...fieldLines([
      ['repository', job.repositoryPath],
      ['base', `${job.baseBranch} at ${job.baseCommit.slice(0, 10)}`],
      ['base moved', movedWords(job)],
      ['branch', job.workingBranch],
      ['planner', job.planner],
      ['worker', job.worker],
      ['reviewer', job.reviewer],
      ['mode', job.mode],
      ['user', job.userId],
      ['checks', job.checks.join('; ') || 'none'],
      ['parallel', job.limits.maxParallelTasks],
      ['most cycles', job.limits.maxCycles],
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

/** 8h, 1h30m, 45m. */
function limitWords(minutes: number | undefined): string | undefined {
  if (minutes === undefined) return undefined
  const hours = Math.floor(minutes / 60)
  const rest = Math.round((minutes % 60) * 100) / 100
  return `${hours === 0 ? '' : `${hours}h`}${rest === 0 && hours > 0 ? '' : `${rest}m`}`
}

function movedWords({ movedBase }: WireJob): string | undefined {
  if (movedBase === undefined) return undefined
  return `to ${movedBase.commit.slice(0, 10)}, which could not be brought in: ${safeHead(movedBase.problem)}`
}

/** As far as programs tell: one that names no price costs nothing here. */
function spentWords({ spentUsd, limits }: WireJob): string | undefined {
  if (limits.budgetUsd !== undefined) return `${dollars(spentUsd)} of ${dollars(limits.budgetUsd)}`
  return spentUsd === 0 ? undefined : dollars(spentUsd)
}

/** Edits that the next cycle takes up. */
function waitingWords({ waitingDocuments, currentCycle }: WireJob): string | undefined {
  // What a job that has not begun was started with is no edit.
  const edits = waitingDocuments.filter(({ number }) => currentCycle > 0 || number > 1)
  const names = edits.map(({ kind, number }) => `${documentName(kind)} (version ${number})`)
  return names.length === 0 ? undefined : `${names.join(' and ')}, for the next cycle`
}

/** A task whole; `wait` says why it does not get on at this moment. */
export function taskDetailLines(
  task: WireTaskDetail,
  look: Look,
  wait: string | undefined,
  jobStatus?: WireJobStatus,
): readonly string[] {
  const { paint } = look
  const isOver = task.status === 'completed'
  return [
    `${paint('strong', task.id)} ${taskLabel(task)} ${paint(TASK_TONES[task.status], task.status)}`,
    ...fieldLines([
      ['description', task.description],
      ['now', wait],
      ['why', isOver ? undefined : headOrNothing(task.reason ?? task.errorMessage)],
      ['next', taskSuggestion(task.suggestion, `muster show ${task.id}`, jobStatus)],
      ['conflicts', task.conflictPaths?.join(', ') || undefined],
      ['priority', task.priority],
      ['agent', task.agent],
      ['branch', task.branch],
      ['commit', task.commit],
      ['files', task.filesModified.join(', ') || undefined],
      ['result', task.resultSummary],
      ['job', task.jobId],
    ]),
    ...task.successCriteria.flatMap((criterion, index) => criterionLines(task, criterion, index + 1)),
    ...task.attempts.flatMap(attemptLines),
    ...task.landings.flatMap((landing) => ['', ...landingDetailLines(landing, look)]),
  ]
}

export function landingDetailLines(landing: WireLanding, { paint, hint }: Look): readonly string[] {
  const { approvalId } = landing
  const acts = approvalId === undefined ? [] : [`muster diff ${approvalId}`, `muster approve ${approvalId}`]
  return [
    `${paint('strong', landing.id)} ${approvalId === undefined ? landing.status : paint('warn', 'waits for your approval')}`,
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
      ['together', landing.mates?.join(', ') || undefined],
      ['task', landing.taskId],
    ]),
    ...checkLines(landing.checks, paint),
  ]
}

/** A criterion, and by whose word it holds or does not. */
function criterionLines(task: WireTask, criterion: string, number: number): readonly string[] {
  const line = `  must hold: ${safeLine(criterion)}`
  const result = task.criteria.find((candidate) => candidate.number === number)
  if (result === undefined) return [line]
  const evidence = result.evidence === '' ? '' : `: ${safeHead(result.evidence)}`
  const word = result.by === 'reviewer' ? 'the reviewer says that it' : 'its agent says that it'
  return [line, `    ${word} ${result.isMet ? 'holds' : 'does not hold'}${evidence}`]
}

/** A reviewer whose answer could not be used has rejected nothing. */
function outcomeWords({ role, verdict, outcome, ending, status }: WireAttempt): string {
  if (role === 'reviewer' && verdict === undefined && outcome === 'rejected') return 'no verdict'
  return verdict?.type ?? outcome ?? ending ?? status
}

function attemptLines(attempt: WireAttempt): readonly string[] {
  const outcome = outcomeWords(attempt)
  const issue = attempt.verdict?.issues[0]?.issue ?? attempt.reason
  const why = issue === undefined ? '' : `: ${safeHead(issue)}`
  const what = attempt.role === 'reviewer' ? 'review' : 'attempt'
  return [
    `  ${what} ${attempt.number} by ${safeLine(attempt.agent)} (${attempt.sessionId}) ${outcome}${why}`,
    ...attempt.handoffs.map(
      (note) =>
        `    handed over from ${safeLine(note.fromAgent)} to ${safeLine(note.to)}: ${safeHead(note.reason || note.summary)}`,
    ),
  ]
}

/** The whole of it is in the output of the check below. */
function headOrNothing(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeHead(text)
}
