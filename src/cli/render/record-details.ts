import type { WireAttempt, WireJob, WireLanding, WireTask, WireTaskDetail } from '../../client/index.ts'
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
      ['checks', job.checks.join('; ') || 'none'],
      ['parallel', job.limits.maxParallelTasks],
      ['most cycles', job.limits.maxCycles],
      [
        'time limit',
        job.limits.timeLimitMinutes === undefined ? undefined : `${job.limits.timeLimitMinutes} min`,
      ],
      ['started', job.startedAt],
      ['ended', job.completedAt],
    ]),
    '',
    ...indentedText(job.requestDocument),
    ...jobSummaryLines(job, tasks, look),
  ]
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
      ['conflicts', task.conflictPaths?.join(', ')],
      ['priority', task.priority],
      ['agent', task.agent],
      ['branch', task.branch],
      ['commit', task.commit],
      ['files', task.filesModified.join(', ') || undefined],
      ['result', task.resultSummary],
      ['job', task.jobId],
    ]),
    ...task.successCriteria.map((criterion) => `  must hold: ${safeLine(criterion)}`),
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
      ['task', landing.taskId],
    ]),
    ...landing.checks.flatMap((check) => [
      `  check ${paint(check.passed ? 'good' : 'bad', check.passed ? 'passed' : 'failed')}: ${safeLine(check.command)}`,
      ...(check.passed ? [] : indentedText(check.detail)),
    ]),
  ]
}

function attemptLines(attempt: WireAttempt): readonly string[] {
  const outcome = attempt.outcome ?? attempt.ending ?? attempt.status
  const why = attempt.reason === undefined ? '' : `: ${safeHead(attempt.reason)}`
  return [
    `  attempt ${attempt.number} by ${safeLine(attempt.agent)} (${attempt.sessionId}) ${outcome}${why}`,
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
