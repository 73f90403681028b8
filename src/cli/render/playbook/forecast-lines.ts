import type { WirePlaybookForecast } from '../../../client/index.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'

type Amount = WirePlaybookForecast['likely']
type Role = WirePlaybookForecast['roles'][number]
type Stage = WirePlaybookForecast['stages'][number]

const UNKNOWN = '-'

/** A table each of what a run takes in all, in its roles and in its stages, and what could not be said. */
export function forecastLines(forecast: WirePlaybookForecast, display: Display): readonly string[] {
  const { playbook, runs } = forecast
  const earlier = runs === 0 ? 'no earlier run' : counted(runs, 'earlier run')
  return [
    `${safeLine(playbook)}: ${earlier}`,
    '',
    ...amountTable(forecast, display),
    ...leftOutLines(forecast).map((line) => display.paint('warn', line)),
    ...endLines(forecast),
    '',
    ...roleTable(forecast, display),
    '',
    ...stageTable(forecast, display),
  ]
}

function amountTable({ least, likely, most }: WirePlaybookForecast, { columns }: Display): readonly string[] {
  const row = (name: string, amount: Amount) => [name, visitWords(amount.visits), ...effortWords(amount)]
  const rows = [row('least', least), row('likely', likely), row('most', most)]
  return table(['RUN', 'VISITS', 'COST', 'TIME'], rows, { columns })
}

/** What the sums of cost and time lack. */
function leftOutLines({ roles, checks, playbook }: WirePlaybookForecast): readonly string[] {
  const nameOf = (role: Role) => roleName(role, playbook)
  const unpriced = roles.filter(({ costUsd }) => costUsd === undefined).map(nameOf)
  const untimed = roles.filter(({ durationMs }) => durationMs === undefined).map(nameOf)
  const unchecked = checks !== undefined && checks.durationMs === undefined ? ['checks'] : []
  return [leftOut('cost', unpriced), leftOut('time', [...untimed, ...unchecked])].flat()
}

function leftOut(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${what} leaves out: ${names.join(', ')}`]
}

/** Without earlier runs, the end is only where the assumptions lead. */
function endLines({ runs, ends }: WirePlaybookForecast): readonly string[] {
  if (runs === 0) return []
  return [`ends: ${ends.map(({ end, share }) => `end.${end} ${percent(share)}`).join(', ')}`]
}

function roleTable({ roles, checks, playbook }: WirePlaybookForecast, display: Display): readonly string[] {
  const rows = roles.map((role) => [roleName(role, playbook), ...effortWords(role), roleBasis(role)])
  const checked =
    checks === undefined
      ? []
      : [['checks', UNKNOWN, timeWords(checks.durationMs), basis(checks.visits, 'of checks')]]
  const { columns } = display
  return table(['ONE VISIT OF', 'COST', 'TIME', 'FROM'], [...rows, ...checked], { columns })
}

function roleBasis({ from, visits, costUsd }: Role): string {
  const of = from === 'agents' ? 'of its agents in other roles' : ''
  const priced = visits > 0 && costUsd === undefined ? '; no cost was reported' : ''
  return `${basis(visits, of)}${priced}`
}

function basis(visits: number, of: string): string {
  return visits === 0 ? 'no earlier run' : `${counted(visits, 'visit')} ${of}`.trimEnd()
}

function stageTable({ stages }: WirePlaybookForecast, { columns }: Display): readonly string[] {
  const rows = stages.map((stage) => [safeLine(stage.stage), visitWords(stage.entries), outcomeWords(stage)])
  return table(['STAGE', 'ENTERED', 'OUTCOMES'], rows, { columns })
}

function outcomeWords({ from, outcomes }: Stage): string {
  const [first] = outcomes
  if (from === 'assumption') return `no earlier run; taken as ${safeLine(first?.outcome ?? '')}`
  const words = outcomes.map(({ outcome, share }) => `${safeLine(outcome)} ${percent(share)}`).join(', ')
  return from === 'inputs' ? `${words} (by the inputs)` : words
}

function roleName({ role, playbook }: Role, own: string): string {
  return safeLine(playbook === own ? role : `${role} of ${playbook}`)
}

function effortWords({ costUsd, durationMs }: Omit<Amount, 'visits'>): readonly string[] {
  return [costUsd === undefined ? UNKNOWN : `$${costUsd.toFixed(2)}`, timeWords(durationMs)]
}

function timeWords(durationMs: number | undefined): string {
  return durationMs === undefined ? UNKNOWN : elapsed(durationMs)
}

function visitWords(visits: number): string {
  return String(Math.round(visits * 10) / 10)
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`
}
