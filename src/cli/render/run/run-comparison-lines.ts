import type { WireRunComparison } from '../../../client/index.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { costWords } from '../text/usage-words.ts'

type Row = WireRunComparison['visits'][number]
type Visit = NonNullable<Row['a']>

const RELATIONS = {
  shared: 'shared',
  alike: '',
  different: 'differs',
  'only-a': 'only in A',
  'only-b': 'only in B',
} as const satisfies Record<Row['relation'], string>

const CHANGERS = {
  a: 'changed only in A',
  b: 'changed only in B',
  both: 'changed in both, differently',
  base: 'differs where the runs started',
} as const

/** Two runs side by side, without their patch. */
export function runComparisonLines(comparison: WireRunComparison, display: Display): readonly string[] {
  const { a, b, visits } = comparison
  return [
    runLine('A', a, display),
    runLine('B', b, display),
    '',
    ...table(
      ['STAGE', 'A', 'B', ''],
      visits.map(({ relation, a: one, b: other }) => [
        stageWords(one ?? other),
        visitWords(one),
        visitWords(other),
        RELATIONS[relation],
      ]),
      { columns: display.columns, flexible: ['STAGE', 'A', 'B'] },
    ),
    '',
    beginningWords(visits),
    ...fileLines(comparison, display),
  ]
}

function runLine(
  name: string,
  { id, playbook, end, status, durationMs, cost }: WireRunComparison['a'],
  { paint }: Display,
): string {
  const spent = costWords(cost)
  const parts = [end ?? status, elapsed(durationMs), ...(spent === '' ? [] : [spent])]
  return `${name} ${paint('strong', id)} ${safeLine(playbook)}: ${parts.join(', ')}`
}

function stageWords(visit: Visit | undefined): string {
  return visit === undefined ? '' : safeLine(visitLabel(visit))
}

function visitWords(visit: Visit | undefined): string {
  if (visit === undefined) return '-'
  const { outcome, status, agent, takenFrom, durationMs, costUsd } = visit
  const spent = costWords({ costUsd, inputTokens: 0, outputTokens: 0 })
  const effort = takenFrom === undefined ? [elapsed(durationMs), spent] : ['taken']
  return [safeLine(outcome ?? status), agent === undefined ? '' : safeLine(agent), ...effort]
    .filter((word) => word !== '')
    .join(', ')
}

function beginningWords(visits: readonly Row[]): string {
  const first = visits.find(({ relation }) => relation !== 'shared' && relation !== 'alike')
  if (first === undefined) return 'both went the same way'
  return `they begin to differ at ${stageWords(first.a ?? first.b)}`
}

function fileLines(
  { work, withoutWork, changedBy }: WireRunComparison,
  { paint }: Display,
): readonly string[] {
  if (withoutWork === 'other-project')
    return ['they are of different projects, so their results were not compared']
  if (work === undefined) return ['neither has made any work']
  if (work.files.length === 0) return ['their results have the same files']
  const groups = (['a', 'b', 'both', 'base'] as const).flatMap((changer) => {
    const files = work.files.filter(({ path }) => changedBy[path] === changer)
    if (files.length === 0) return []
    return [
      paint('strong', `${CHANGERS[changer]}:`),
      ...files.map(({ path, added, removed }) => `  ${safeLine(path)} (A to B: +${added} -${removed})`),
    ]
  })
  const more = work.omittedFiles > 0 ? [`and ${counted(work.omittedFiles, 'more file')}`] : []
  return [...groups, ...more]
}
