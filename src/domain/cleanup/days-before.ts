const DAY_MS = 24 * 60 * 60_000

export function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * DAY_MS)
}
