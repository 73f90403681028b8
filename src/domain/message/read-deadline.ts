import { MESSAGE_LIMITS } from '../limits/message-limits.ts'
import { failure, type Result, success } from '../result.ts'
import type { MessageFailure } from './message-failure.ts'

const DURATION = /^(\d{1,5})(s|m|h|d)$/
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}(?:Z|[+-]\d{2}:\d{2})$/

/** Reads when a reply should be there: an ISO time, or a duration from now such as `15m`. */
export function readDeadline(text: string, now: Date): Result<Date, MessageFailure> {
  const invalid = (problem: string) =>
    failure({ type: 'deadline-invalid', deadline: text.slice(0, 100), problem } as const)
  const time = timeOf(text, now.getTime())
  if (Number.isNaN(time))
    return invalid('is neither a duration such as 15m nor a time such as 2026-01-31T18:00:00Z')
  if (time <= now.getTime()) return invalid('has already passed')
  if (time > now.getTime() + MESSAGE_LIMITS.deadlineDays * UNIT_MS.d)
    return invalid(`is more than ${MESSAGE_LIMITS.deadlineDays} days away`)
  return success(new Date(time))
}

function timeOf(text: string, now: number): number {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return now + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return INSTANT.test(text) ? Date.parse(text) : Number.NaN
}
