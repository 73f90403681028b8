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
const SHOWN_PLACES = 3

/** What went wrong in a run, what was done about it, and, if the run ended badly, what to do next. */
export function errorLines(run: RunTrouble, { paint, hint }: Display): readonly string[] {
  const { errors } = run
  const next = nextLines(run, hint)
  if (errors.length === 0) return next
  const recovered = errors.filter((error) => error.recovered === true).length
  const texts = errorTexts(errors)
  return [
    '',
    paint(
      'strong',
      `${counted(errors.length, 'error')}, ${recovered} recovered; ${run.recoveries} tries used`,
    ),
    ...(texts.length > SHOWN ? [`  the last ${SHOWN}:`] : []),
    ...texts.slice(-SHOWN).map((text) => `  ${text}`),
    ...next,
  ]
}

/** One text for all errors with the same reason, in the order in which they last happened. */
export function errorTexts(errors: readonly WireRunError[]): readonly string[] {
  const groups = new Map<string, WireRunError[]>()
  for (const error of errors) {
    const key = `${error.code} ${firstLine(error)}`
    const alike = groups.get(key) ?? []
    groups.delete(key)
    groups.set(key, [...alike, error])
  }
  return [...groups.values()].map(groupWords)
}

function groupWords(errors: readonly WireRunError[]): string {
  const last = errors.at(-1)
  if (last === undefined) return ''
  const { at, code, recovered } = last
  const end = recovered === undefined ? '' : `, ${recovered ? '' : 'not '}recovered`
  const actions = [...new Set(errors.map(actionWords))].join(', ')
  const often = errors.length === 1 ? '' : `, ${errors.length} times`
  return safeLine(
    `${at.slice(11, 19)} ${placesOf(errors)}: ${firstLine(last)}; ${actions}${end} (${code}${often})`,
  )
}

function placesOf(errors: readonly WireRunError[]): string {
  const labels = [...new Set(errors.map(visitLabel))]
  const hidden = labels.length - SHOWN_PLACES
  const shown = labels.slice(0, SHOWN_PLACES).join(', ')
  return hidden > 0 ? `${shown} and ${hidden} more` : shown
}

function firstLine({ message }: WireRunError): string {
  return message.split('\n', 1)[0] ?? ''
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
