import { isNoise, isTelling } from '../../../domain/telling-line.ts'
import { safeHead, safeLine, safeText } from './safe-text.ts'

const SHOWN_LINES = 3

/** Why something did not land: the reason, then the most useful lines of output, indented. */
export function reasonLines(reason: string, limit: number): readonly string[] {
  const rest = linesBelow(reason)
  const useful = rest.filter(isTelling)
  const shown = useful.length > 0 ? useful : rest.filter((line) => !isNoise(line))
  return [safeHead(reason, limit), ...shown.slice(0, SHOWN_LINES).map((line) => `  ${safeLine(line, limit)}`)]
}

/**
 * The same with the end of the output, `count` lines in all. What the short form shows comes first if it is further up,
 * so that both name the same cause.
 */
export function reasonWithEnd(reason: string, limit: number, count: number): readonly string[] {
  const rest = linesBelow(reason)
  const telling = rest.filter(isTelling).slice(0, SHOWN_LINES)
  const end = rest.slice(-count)
  const above = telling.filter((line) => !end.includes(line))
  const shown = [...above, ...end.slice(above.length)]
  return [safeHead(reason, limit), ...shown.map((line) => `  ${safeLine(line, limit)}`)]
}

function linesBelow(reason: string): readonly string[] {
  const [, ...rest] = safeText(reason)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return rest
}
