/** How much a report holds; beyond this, things are counted and not listed, and texts are cut. */
export const REPORT_LIMITS = {
  tasks: 400,
  attemptsPerTask: 20,
  listed: 50,
  namedSessions: 20,
  lineCharacters: 400,
  textCharacters: 2000,
} as const

/** One text, cut where it is long. */
export function cutText(text: string, limit: number = REPORT_LIMITS.textCharacters): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/\p{Cs}$/u, '')}…`
}

/** The first line that says something, cut where it is long. */
export function cutLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? ''
  return cutText(line.trim(), REPORT_LIMITS.lineCharacters)
}
