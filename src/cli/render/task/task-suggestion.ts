import type { WireJobStatus } from '../../../contract/job.ts'

const ENDED: ReadonlySet<WireJobStatus> = new Set(['completed', 'cancelled', 'error'])

const WHILE_RUNNING: readonly string[] = ['the next cycle', 'while the job runs']

/**
 * What a person can do about a task. Leaves out the command that they have just run, what only a running job can do if
 * the job has ended, and a new job if the running one can be changed.
 */
export function taskSuggestion(
  suggestion: string | undefined,
  given: string,
  status: WireJobStatus | undefined,
): string | undefined {
  const isFinished = status !== undefined && ENDED.has(status)
  const parts = (suggestion ?? '').split('; ').filter((part) => !part.includes(`\`${given}\``))
  const running = parts.filter((part) => WHILE_RUNNING.some((start) => part.startsWith(start)))
  if (isFinished) return parts.filter((part) => !running.includes(part)).join('; ') || undefined
  const isReplaced = (part: string) => running.length > 0 && part.startsWith('start a new job')
  return parts.filter((part) => !isReplaced(part)).join('; ') || undefined
}
