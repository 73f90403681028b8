import type {
  WireAttempt,
  WireJob,
  WireLanding,
  WireSession,
  WireTask,
  WireTaskDetail,
} from '../../client/index.ts'
import type { Hint } from '../hint.ts'
import { jobSummaryLines, TASK_TONES } from './job-summary.ts'
import type { Look } from './look.ts'
import type { Paint } from './paint.ts'
import { safeHead, safeLine, safeText } from './safe-text.ts'
import { sessionEndWords } from './session-words.ts'
import { taskLabel } from './task-label.ts'

type Field = readonly [name: string, value: string | number | undefined]

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

export function taskDetailLines(task: WireTaskDetail, paint: Paint): readonly string[] {
  return [
    `${paint('strong', task.id)} ${taskLabel(task)} ${paint(TASK_TONES[task.status], task.status)}`,
    ...fieldLines([
      ['description', task.description],
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
    ...task.attempts.map(attemptLine),
    ...task.landings.flatMap((landing) => ['', ...landingDetailLines(landing, paint)]),
  ]
}

export function sessionDetailLines(session: WireSession, hint: Hint): readonly string[] {
  return [
    session.id,
    ...fieldLines([
      ['status', session.status],
      ['role', session.role],
      ['agent', `${session.agent} (${session.provider})`],
      ['process', session.pid],
      ['held by', session.containment],
      ['end', session.end === undefined ? undefined : sessionEndWords(session.end)],
      ['output', `${session.outputBytes} bytes, errors ${session.errorBytes} bytes`],
      ['started', session.createdAt],
      ['ended', session.endedAt],
      ['job', session.jobId],
    ]),
    `  what it said: ${hint(`muster logs ${session.id}`)}`,
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

function attemptLine(attempt: WireAttempt): string {
  const outcome = attempt.outcome ?? attempt.status
  const why = attempt.reason === undefined ? '' : `: ${safeHead(attempt.reason)}`
  return `  attempt ${attempt.number} by ${safeLine(attempt.agent)} (${attempt.sessionId}) ${outcome}${why}`
}

/** The whole of it is in the output of the check below. */
function headOrNothing(text: string | undefined): string | undefined {
  return text === undefined ? undefined : safeHead(text)
}

function fieldLines(fields: readonly Field[]): readonly string[] {
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(12)} ${safeLine(String(value))}`)
}

function indentedText(text: string): readonly string[] {
  return safeText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
}
