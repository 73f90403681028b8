import type { WireRun } from '../../../client/index.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import type { Display } from '../text/display.ts'
import { indentedText } from '../text/field-lines.ts'
import { safeLine } from '../text/safe-text.ts'
import { errorLines } from './error-lines.ts'

export const STATUS_WORDS = {
  waiting: 'waiting',
  working: 'working',
  checking: 'checking',
  asking: 'waiting for you',
  'running-child': 'working',
  settled: 'ended',
  cancelled: 'cancelled',
} as const satisfies Record<WireRun['visits'][number]['status'], string>

/** The stages that a run has been through, those of the runs within it, and the documents of its result. */
export function runLines(run: WireRun, display: Display): readonly string[] {
  const { paint } = display
  return [
    '',
    `${paint('strong', run.id)} ${runWords(run)}`,
    ...visitLines(run, paint, '  '),
    ...degradationLines(run),
    ...errorLines(run, display),
    ...run.documents.flatMap(({ name, text }) => [
      '',
      paint('strong', safeLine(name)),
      ...indentedText(text),
    ]),
  ]
}

export function runWords({ playbook, end, status, reason }: WireRun): string {
  const why = reason === undefined ? '' : `: ${safeLine(reason)}`
  return `${safeLine(playbook)} ${end ?? status}${why}`
}

/** Each visit, and below it the run that it started. */
function visitLines(run: WireRun, paint: Display['paint'], indent: string): readonly string[] {
  const { visits, children = [] } = run
  const inner = `${indent}  `
  return visits.flatMap((visit) => [
    `${indent}${chosenWords(run, visit) ?? visitWords(visit)}`,
    ...children
      .filter(({ parentId }) => parentId === visit.id)
      .flatMap((child) => [
        `${inner}${paint('strong', child.id)} ${runWords(child)}`,
        ...visitLines(child, paint, `${inner}  `),
      ]),
  ])
}

export function degradationLines({ degradation }: WireRun): readonly string[] {
  if (degradation === undefined || degradation.level === 'full') return []
  return ['', 'not as its playbook intends:', ...degradation.notes.map((note) => `  ${safeLine(note)}`)]
}

type WireVisit = WireRun['visits'][number]

/** A stage that only chooses a route ends with the number of a case, or with `else`; people want to see where it led. */
function chosenWords({ visits, end }: WireRun, visit: WireVisit): string | undefined {
  if (!/^(?:\d+|else)$/.test(visit.outcome ?? '')) return undefined
  const next = visits.find(({ ordinal }) => ordinal === visit.ordinal + 1)?.stage
  const to = next ?? (end === undefined ? '' : `end.${end}`)
  return to === '' ? undefined : safeLine(`${visit.ordinal} ${visitLabel(visit)} -> ${to}`)
}

function visitWords(visit: WireVisit): string {
  const { ordinal, status, outcome, tries, problem } = visit
  const often = tries > 1 ? `, ${tries} tries` : ''
  const why = problem === undefined || outcome !== 'failed' ? '' : `: ${problem}`
  return safeLine(`${ordinal} ${visitLabel(visit)}: ${outcome ?? STATUS_WORDS[status]}${often}${why}`)
}
