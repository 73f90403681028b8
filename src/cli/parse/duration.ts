const UNIT_MINUTES = { s: 1 / 60, m: 1, h: 60, d: 1440 } as const
const DURATION = /^(?:\d+(?:\.\d+)?[smhd])+$/
const PART = /(\d+(?:\.\d+)?)([smhd])/g
const LIMIT_MINUTES = 60 * 24 * 365

/** Parses `90m`, `1h30m`, `2d` or a number of minutes into minutes; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const minutes = /^\d+$/.test(text) ? Number(text) : sumOfParts(text)
  if (minutes === undefined || minutes <= 0 || minutes > LIMIT_MINUTES) return undefined
  return minutes
}

/** The same in whole minutes, at least one. */
export function parseDurationMinutes(text: string): number | undefined {
  const minutes = parseDuration(text)
  return minutes === undefined ? undefined : Math.max(1, Math.round(minutes))
}

function sumOfParts(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined
  return [...text.matchAll(PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNIT_MINUTES[unit as keyof typeof UNIT_MINUTES],
    0,
  )
}
