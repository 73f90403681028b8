import { REPORT_LIMITS } from '../limits/report-limits.ts'

/** One text, cut if it is long. */
export function cutText(text: string, limit: number = REPORT_LIMITS.textCharacters): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/\p{Cs}$/u, '')}…`
}

/** The first line that isn't blank, cut if it is long. */
export function cutLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? ''
  return cutText(line.trim(), REPORT_LIMITS.lineCharacters)
}
