import { InvalidArgumentError } from 'commander'

/** The start of a period: so long ago, or at a moment. */
export type Since =
  | { readonly type: 'ago'; readonly milliseconds: number }
  | { readonly type: 'moment'; readonly at: Date }

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const AGO = /^(\d{1,6})([smhd])$/
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Parses 90s, 10m, 2h or 3d, or a date with or without a time as in ISO 8601. */
export function sinceFlag(text: string): Since {
  const [, count, unit] = AGO.exec(text.trim()) ?? []
  if (count !== undefined && unit !== undefined) {
    return { type: 'ago', milliseconds: Number(count) * UNITS[unit as keyof typeof UNITS] }
  }
  const at = ISO.test(text.trim()) ? new Date(text.trim()) : undefined
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError(
      'It must be a duration such as 10m or 2h, or a time such as 2031-04-01T09:30.',
    )
  }
  return { type: 'moment', at }
}

export function startOf(since: Since, now: Date): Date {
  return since.type === 'moment' ? since.at : new Date(now.getTime() - since.milliseconds)
}
