import type { WireRun } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { indentedText } from '../text/field-lines.ts'
import { safeLine } from '../text/safe-text.ts'

const STATUS_WORDS = {
  waiting: 'waiting',
  working: 'working',
  checking: 'checking',
  asking: 'waiting for you',
  'running-child': 'working',
  settled: 'ended',
  cancelled: 'cancelled',
} as const satisfies Record<WireRun['visits'][number]['status'], string>

/** The stages that a run has been through, and the documents of its result. */
export function runLines(run: WireRun, { paint }: Display): readonly string[] {
  const end = run.end === undefined ? run.status : run.end
  const reason = run.reason === undefined ? '' : `: ${safeLine(run.reason)}`
  return [
    '',
    `${paint('strong', run.id)} ${safeLine(run.playbook)} ${end}${reason}`,
    ...run.visits.map((visit) => `  ${visitWords(visit)}`),
    ...run.documents.flatMap(({ name, text }) => [
      '',
      paint('strong', safeLine(name)),
      ...indentedText(text),
    ]),
  ]
}

function visitWords(visit: WireRun['visits'][number]): string {
  const { ordinal, stage, round, branch, status, outcome, tries, problem } = visit
  const name = branch === 0 ? `${ordinal} ${stage}` : `${ordinal} ${stage} ${branch}`
  const rounds = round === 1 ? '' : ` (round ${round})`
  const often = tries > 1 ? `, ${tries} tries` : ''
  const why = problem === undefined || outcome !== 'failed' ? '' : `: ${problem}`
  return safeLine(`${name}${rounds}: ${outcome ?? STATUS_WORDS[status]}${often}${why}`)
}
