import type { WireAttempt, WireJob, WireLanding, WireTask, WireTaskDetail } from '../../client/index.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import { checkLines } from './check-lines.ts'
import { documentName } from './document-lines.ts'
import { fieldLines, indentedText } from './field-lines.ts'
import { jobSummaryLines, TASK_TONES } from './job-summary.ts'
import type { Look } from './look.ts'
import type { Paint } from './paint.ts'
import { safeHead, safeLine } from './safe-text.ts'
import { taskLabel } from './task-label.ts'

export function jobDetailLines(job: WireJob, tasks: readonly WireTask[], look: Look): readonly string[] {
  return [
    look.paint('strong', job.id),
    ...fieldLines([
      ['repository', job.repositoryPath],
      ['base', `${job.baseBranch} at ${job.baseCommit.slice(0, 10)}`],
      ['branch', job.workingBranch],
      ['planner', job.planner],
      ['worker', job.worker],
      ['reviewer', job.reviewer],
      ['mode', job.mode],
      ['user', job.userId],
      ['checks', job.checks.join('; ') || 'none'],
      ['parallel', job.limits.maxParallelTasks],
      ['most cycles', job.limits.maxCycles],
      [
        'time limit',
        job.limits.timeLimitMinutes === undefined ? undefined : `${job.limits.timeLimitMinutes} min`,
      ],
      ['spent', spentWords(job)],
      ['waiting', waitingWords(job)],
      ['started', job.startedAt],
      ['ended', job.completedAt],
    ]),
    '',
    ...indentedText(job.requestDocument),
    ...jobSummaryLines(job, tasks, look),
  ]
}

/** As far as programs tell: one that names no price costs nothing here. */
function spentWords({ spentUsd, limits }: WireJob): string | undefined {
  if (limits.budgetUsd !== undefined) return `${dollars(spentUsd)} of ${dollars(limits.budgetUsd)}`
  return spentUsd === 0 ? undefined : dollars(spentUsd)
}

/** Edits that the next cycle takes up. */
function waitingWords({ waitingDocuments }: WireJob): string | undefined {
  const names = waitingDocuments.map(({ kind, number }) => `${documentName(kind)} (version ${number})`)
  return names.length === 0 ? undefined : `${names.join(' and ')}, for the next cycle`
}

/** A task whole; `wait` says why it does not get on at this moment. */
export function taskDetailLines(
  task: WireTaskDetail,
  paint: Paint,
  wait: string | undefined,
): readonly string[] {
  return [
    `${paint('strong', task.id)} ${taskLabel(task)} ${paint(TASK_TONES[task.status], task.status)}`,
    ...fieldLines([
      ['description', task.description],
      ['now', wait],
      ['why', headOrNothing(task.reason ?? task.errorMessage)],
      ['next', task.suggestion],
      ['conflicts', task.conflictPaths?.join(', ')],
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
    ...task.landings.flatMap((landing) => ['', ...landingDetailLines(landing, paint)]),
  ]
}

export function landingDetailLines(landing: WireLanding, paint: Paint): readonly string[] {
  return [
    `${paint('strong', landing.id)} ${landing.status}`,
    ...fieldLines([
      ['why', headOrNothing(landing.reason)],
      ['conflicts', landing.conflictPaths?.join(', ')],
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

function attemptLines(attempt: WireAttempt): readonly string[] {
  const outcome = attempt.verdict?.type ?? attempt.outcome ?? attempt.ending ?? attempt.status
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
