import { isNoise, isTelling } from '../../../domain/telling-line.ts'
import { safeHead, safeLine, safeText } from './safe-text.ts'

const SHOWN_LINES = 3
/** Why something did not land: the reason, then the most useful lines of output, indented. */
export function reasonLines(reason: string, limit: number): readonly string[] {
  const [, ...rest] = safeText(reason)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const useful = rest.filter(isTelling)
  const shown = useful.length > 0 ? useful : rest.filter((line) => !isNoise(line))
  return [safeHead(reason, limit), ...shown.slice(0, SHOWN_LINES).map((line) => `  ${safeLine(line, limit)}`)]
}
