import type { WireRun } from '../../../client/index.ts'
import { actionWords } from '../../../domain/run/action-words.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeLine } from '../text/safe-text.ts'

type RunTrouble = Pick<WireRun, 'errors' | 'recoveries' | 'next'>
type WireRunError = WireRun['errors'][number]

/** More are in `--json`. */
const SHOWN = 20

/** What went wrong in a run, what was done about it, and, if the run ended badly, what to do next. */
export function errorLines(run: RunTrouble, { paint, hint }: Display): readonly string[] {
  const { errors } = run
  const next = nextLines(run, hint)
  if (errors.length === 0) return next
  const recovered = errors.filter((error) => error.recovered === true).length
  const shown = errors.slice(-SHOWN)
  return [
    '',
    paint(
      'strong',
      `${counted(errors.length, 'error')}, ${recovered} recovered; ${run.recoveries} tries used`,
    ),
    ...(shown.length < errors.length ? [`  the last ${SHOWN}:`] : []),
    ...shown.map((error) => `  ${errorWords(error)}`),
    ...next,
  ]
}

export function errorWords(error: WireRunError): string {
  const { at, code, message, recovered } = error
  const end = recovered === undefined ? '' : `, ${recovered ? '' : 'not '}recovered`
  const [line] = message.split('\n', 1)
  return safeLine(`${at.slice(11, 19)} ${visitLabel(error)}: ${line}; ${actionWords(error)}${end} (${code})`)
}

function nextLines({ next }: Pick<WireRun, 'next'>, hint: Display['hint']): readonly string[] {
  if (next.length === 0) return []
  const width = Math.max(...next.map(({ purpose }) => purpose.length))
  return [
    '',
    'next:',
    ...next.map(({ purpose, command }) => `  ${`${purpose}:`.padEnd(width + 1)} ${hint(command)}`),
  ]
}
