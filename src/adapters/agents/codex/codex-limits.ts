import { z } from 'zod'
import type { CodexState, LimitWindow } from './codex-state.ts'

const window = z
  .object({ usedPercent: z.number(), resetsAt: z.number().nullish() })
  .nullish()
  .catch(undefined)

export const rateLimits = z.object({ primary: window, secondary: window })

type RateLimits = z.infer<typeof rateLimits>

/** An update may omit values that haven't changed, so empty ones don't replace known ones. */
export function mergeLimits(state: CodexState, reported: RateLimits): CodexState {
  const windows = [reported.primary, reported.secondary].flatMap((found): LimitWindow[] => {
    if (!found) return []
    const { usedPercent, resetsAt } = found
    return [typeof resetsAt === 'number' ? { usedPercent, resetsAt } : { usedPercent }]
  })
  return windows.length === 0 ? state : { ...state, limits: windows }
}

/** When the last of the used-up quotas resets, if the program has reported it. */
export function resetTime(limits: readonly LimitWindow[]): string | undefined {
  const times = limits.flatMap(({ usedPercent, resetsAt }) =>
    usedPercent >= 100 && resetsAt !== undefined ? [resetsAt * 1000] : [],
  )
  const latest = new Date(Math.max(...times))
  return Number.isNaN(latest.getTime()) ? undefined : latest.toISOString()
}
