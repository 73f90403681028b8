import type { WireJob } from '../../contract/job.ts'
import type { WireTask } from '../../contract/task.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { elapsed } from './elapsed.ts'
import type { Paint, Tone } from './paint.ts'
import { safeHead, safeLine } from './safe-text.ts'
import { taskLabel } from './task-label.ts'

const LINE_LIMIT = 100

/** What became of a job: its tasks with one-line reasons, its commits, and where to look at them. */
export function jobSummaryLines(job: WireJob, tasks: readonly WireTask[], paint: Paint): readonly string[] {
  const landed = tasks.filter((task) => task.commit !== undefined)
  return [
    '',
    headLine(job, paint),
    ...tasks.flatMap((task) => taskLines(task, paint)),
    ...job.evidence.map((evidence) => `  ${paint('dim', `evidence: ${safeLine(evidence, LINE_LIMIT)}`)}`),
    ...(job.checks.length === 0 ? [paint('warn', '  no checks are configured: nothing was tested')] : []),
    '',
    ...endLines(job, landed.length),
  ]
}

/** A job that reached its goal, or found nothing left to do, is a success; one that ran out of something is not. */
export function exitCodeOfJob(job: Pick<WireJob, 'status' | 'reason'>): ExitCode {
  const reached = job.reason === 'goal-reached' || job.reason === 'nothing-left'
  return job.status === 'completed' && reached ? EXIT.done : EXIT.failed
}

function headLine(job: WireJob, paint: Paint): string {
  const good = exitCodeOfJob(job) === EXIT.done
  const reason = job.reason ?? job.lastError
  const because = reason === undefined ? '' : `: ${safeLine(reason, LINE_LIMIT)}`
  const cycles = job.currentCycle === 1 ? '1 cycle' : `${job.currentCycle} cycles`
  return `${paint(good ? 'good' : 'bad', `${job.status}${because}`)} (${cycles}, ${elapsed(job.activeMs)})`
}

export const TASK_TONES = {
  pending: 'dim',
  running: 'accent',
  landing: 'accent',
  completed: 'good',
  failed: 'bad',
  blocked: 'warn',
  skipped: 'dim',
} as const satisfies Record<WireTask['status'], Tone>

function taskLines(task: WireTask, paint: Paint): readonly string[] {
  const state = paint(TASK_TONES[task.status], task.status.padEnd(9))
  const commit = task.commit === undefined ? '' : paint('dim', ` ${task.commit.slice(0, 10)}`)
  const head = `  ${taskLabel(task).padEnd(6)} ${state} ${safeLine(task.description, LINE_LIMIT)}${commit}`
  if (task.reason === undefined) return [head]
  return [head, `         ${paint('dim', safeHead(task.reason, LINE_LIMIT))}`]
}

function endLines(job: WireJob, landed: number): readonly string[] {
  const branch = safeLine(job.workingBranch)
  if (landed === 0) return ['nothing landed, and nothing was changed in your checkout']
  const count = landed === 1 ? '1 task' : `${landed} tasks`
  return [
    `${count} landed on branch ${branch}`,
    `nothing was changed in your checkout; see: git log ${branch}`,
  ]
}
