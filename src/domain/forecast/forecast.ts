import type { Playbook } from '../playbook/playbook.ts'
import type { Stage } from '../playbook/stage.ts'
import { largestSum, mostBranches } from '../playbook/visit-bound.ts'
import type { RunInputs } from '../run/run.ts'
import { type Expected, expectedEntries } from './expected-entries.ts'
import { checksEffort, type MeanEffort, type RoleEffort, roleEffort } from './mean-effort.ts'
import { outcomeRates, type StageRates } from './outcome-rates.ts'
import type { RunHistory } from './run-history.ts'
import { shortestSum } from './shortest-sum.ts'
import { withInputs } from './with-inputs.ts'

/** What a run takes. Cost and time are absent if no earlier run says anything about them. */
export type ForecastAmount = {
  readonly visits: number
  readonly costUsd?: number
  /** Without the time in which only a person could go on. */
  readonly durationMs?: number
}

export type StageForecast = {
  readonly stage: string
  /** How often a run enters it on average. */
  readonly entries: number
} & StageRates

/** What to expect of a run, from what earlier runs did. */
export type Forecast = {
  /** The earlier runs of this playbook. */
  readonly runs: number
  /** The shortest way to a finished result. */
  readonly least: ForecastAmount
  readonly likely: ForecastAmount
  /** The longest way, within the limits of the playbook. */
  readonly most: ForecastAmount
  readonly ends: Expected['ends']
  readonly stages: readonly StageForecast[]
  /** The roles of the playbook, and those of playbooks that its stages follow. */
  readonly roles: readonly ({ readonly playbook: string; readonly role: string } & RoleEffort)[]
  /** Absent if nothing is checked. */
  readonly checks?: MeanEffort
}

export type ForecastInput = {
  readonly history: RunHistory
  readonly inputs: RunInputs
  /** Finds a playbook that a stage follows. */
  readonly find: (name: string) => Playbook | undefined
}

/** The least, likely and most that a run takes. What has no history is left out of cost and time, never invented. */
export function forecast(playbook: Playbook, { history, inputs, find }: ForecastInput): Forecast {
  const left = withInputs(playbook, inputs)
  const rates = outcomeRates(playbook, history, inputs)
  const expected = expectedEntries(playbook, rates)
  const children = childForecasts(left, history, find)
  const roles = rolesIn(left).map((role) => ({
    ...{ playbook: playbook.name, role },
    ...roleEffort(role, playbook.roles[role] ?? { agents: [] }, history),
  }))
  const isChecked = Object.values(left.stages).some(({ type }) => type === 'checks')
  const checks = isChecked ? checksEffort(history) : children.find((one) => one.checks)?.checks
  const effortOf = (stage: Stage) =>
    stage.type === 'checks' ? checks : roles.find(({ role }) => stage.type === 'role' && stage.role === role)
  const sums = { playbook: left, rates, expected, children, effortOf }
  const [least, most] = [amountOf(sums, 'least'), withinLimits(amountOf(sums, 'most'), playbook)]
  return {
    runs: history.runs.find((one) => one.playbook === playbook.name)?.count ?? 0,
    least,
    likely: between(amountOf(sums, 'likely'), least, most),
    most,
    ends: expected.ends,
    stages: Object.keys(left.stages).flatMap((stage) => {
      const own = rates[stage]
      return own === undefined ? [] : [{ stage, entries: expected.entries[stage] ?? 0, ...own }]
    }),
    roles: [...roles, ...children.flatMap((child) => child.roles)],
    ...(checks === undefined ? {} : { checks }),
  }
}

type Child = Forecast & { readonly name: string }

/** A playbook can't contain itself, so this ends. What a child is given isn't known before the run. */
function childForecasts(
  { stages }: Playbook,
  history: RunHistory,
  find: ForecastInput['find'],
): readonly Child[] {
  const names = Object.values(stages).flatMap((stage) => (stage.type === 'playbook' ? [stage.playbook] : []))
  return [...new Set(names)].flatMap((name) => {
    const child = find(name)
    return child === undefined ? [] : [{ name, ...forecast(child, { history, inputs: {}, find }) }]
  })
}

function rolesIn({ stages }: Playbook): readonly string[] {
  return [...new Set(Object.values(stages).flatMap((stage) => (stage.type === 'role' ? [stage.role] : [])))]
}

type Case = 'least' | 'likely' | 'most'
type Part = keyof ForecastAmount

type Sums = {
  readonly playbook: Playbook
  readonly rates: Readonly<Record<string, StageRates>>
  readonly expected: Expected
  readonly children: readonly Child[]
  readonly effortOf: (stage: Stage) => MeanEffort | undefined
}

function amountOf(sums: Sums, which: Case): ForecastAmount {
  return {
    visits: sumOf(sums, which, 'visits'),
    ...(isKnown(sums, 'costUsd') ? { costUsd: sumOf(sums, which, 'costUsd') } : {}),
    ...(isKnown(sums, 'durationMs') ? { durationMs: sumOf(sums, which, 'durationMs') } : {}),
  }
}

/** Whether at least one stage has a history. The cost of checks is known, but says nothing. */
function isKnown({ playbook, children, effortOf }: Sums, part: 'costUsd' | 'durationMs'): boolean {
  const isOwn = Object.values(playbook.stages).some(
    (stage) => (part === 'durationMs' || stage.type !== 'checks') && effortOf(stage)?.[part] !== undefined,
  )
  return isOwn || children.some(({ likely }) => likely[part] !== undefined)
}

function sumOf(sums: Sums, which: Case, part: Part): number {
  const { playbook, expected } = sums
  const weigh = (stage: Stage, name: string) => weightOf(sums, { stage, name, which }, part)
  if (which === 'least') return shortestSum(playbook, weigh)
  if (which === 'most') return largestSum(playbook, weigh)
  return Object.entries(playbook.stages).reduce(
    (sum, [name, stage]) => sum + (expected.entries[name] ?? 0) * weigh(stage, name),
    0,
  )
}

type Entered = { readonly stage: Stage; readonly name: string; readonly which: Case }

/** What one entry into a stage takes. */
function weightOf(sums: Sums, { stage, name, which }: Entered, part: Part): number {
  const { playbook, children, effortOf } = sums
  if (stage.type === 'playbook') {
    const within = children.find((one) => one.name === stage.playbook)?.[which][part] ?? 0
    return part === 'visits' ? 1 + within : within
  }
  const branches = branchesOf(sums, { stage, name, which })
  if (part === 'visits') return branches
  const mean = effortOf(stage)?.[part] ?? 0
  if (part === 'costUsd') return branches * mean
  return Math.ceil(branches / playbook.limits.parallel) * mean
}

/** A list or the work of another stage may have a single entry. */
function branchesOf({ playbook, rates }: Sums, { stage, name, which }: Entered): number {
  const most = mostBranches(playbook, stage)
  if (which === 'most' || most === 1) return most
  if (which === 'likely') return likelyBranches(playbook, rates, name)
  return isFixed(stage) ? most : 1
}

/** Whoever names how many branches a stage has knows the number. */
function isFixed(stage: Stage): boolean {
  return stage.type === 'role' && stage.fanOut?.type === 'times'
}

/** As many as in earlier runs. If they come from another stage, as large a share of that stage's branches. */
function likelyBranches(playbook: Playbook, rates: Sums['rates'], name: string): number {
  const { [name]: stage, ...others } = playbook.stages
  if (stage === undefined) return 1
  const most = mostBranches(playbook, stage)
  const past = rates[name]?.branches
  if (isFixed(stage) || past === undefined) return most
  const source = sourceOf(stage)
  const pastOfSource = source === undefined ? undefined : rates[source]?.branches
  if (source === undefined || pastOfSource === undefined) return Math.min(most, past)
  // Without this stage, because stages that name each other would never end.
  const now = likelyBranches({ ...playbook, stages: others }, rates, source)
  return Math.min(most, (past / pastOfSource) * now)
}

/** The stage that this one works on each branch of. */
function sourceOf(stage: Stage): string | undefined {
  if (stage.type === 'checks') return stage.each
  return stage.type === 'role' && stage.fanOut?.type === 'each' ? stage.fanOut.stage : undefined
}

/** Earlier runs may have failed before what a finished run takes at least. */
function between(likely: ForecastAmount, least: ForecastAmount, most: ForecastAmount): ForecastAmount {
  const within = (part: Part) =>
    Math.min(most[part] ?? Infinity, Math.max(least[part] ?? 0, likely[part] ?? 0))
  return {
    visits: within('visits'),
    ...(likely.costUsd === undefined ? {} : { costUsd: within('costUsd') }),
    ...(likely.durationMs === undefined ? {} : { durationMs: within('durationMs') }),
  }
}

/** A run that reaches a limit of its playbook is stopped. */
function withinLimits({ visits, costUsd, durationMs }: ForecastAmount, { limits }: Playbook): ForecastAmount {
  return {
    visits,
    ...(costUsd === undefined ? {} : { costUsd: Math.min(costUsd, limits.usd ?? costUsd) }),
    ...(durationMs === undefined ? {} : { durationMs: Math.min(durationMs, limits.minutes * 60_000) }),
  }
}
