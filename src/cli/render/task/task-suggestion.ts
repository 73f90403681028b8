import type { WireJobStatus } from '../../../contract/job.ts'

const OVER: ReadonlySet<WireJobStatus> = new Set(['completed', 'cancelled', 'error'])

/**
 * What a person may do about a task, without what does not help them: the command they have just given, and, in a
 * job that is over, what its next cycle would do.
 */
export function taskSuggestion(
  suggestion: string | undefined,
  given: string,
  status: WireJobStatus | undefined,
): string | undefined {
  const isOver = status !== undefined && OVER.has(status)
  const parts = (suggestion ?? '')
    .split('; ')
    .filter((part) => !part.includes(`\`${given}\``))
    .filter((part) => !(isOver && part.startsWith('the next cycle')))
  return parts.join('; ') || undefined
}
