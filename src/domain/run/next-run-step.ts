import type { VisitId } from '../id.ts'
import { RUN_LIMITS } from '../limits/run-limits.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { describeReference, type Reference } from '../playbook/reference.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { FanOut, Stage } from '../playbook/stage.ts'
import { lastEntry } from './entries.ts'
import { entryOutcome } from './entry-outcome.ts'
import { type Counters, routeVisit } from './route-visit.ts'
import type { Run } from './run.ts'
import { findValue, holds, type RunFacts } from './run-values.ts'
import { newestEntry, seenVisits } from './seen-visits.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** A visit before it has a row. `outcome`: it ends immediately, because there is nothing to do or ask. */
export type VisitDraft = Pick<Visit, 'ordinal' | 'stage' | 'round' | 'branch' | 'inputs' | 'item'> & {
  readonly outcome?: Outcome
  /** Why there is nothing to do, if that isn't what its playbook is made for. */
  readonly problem?: string
}

export type RunStep =
  | { readonly type: 'wait' }
  | {
      readonly type: 'continue'
      /** In order; all but those of the last entry have ended. */
      readonly drafts: readonly VisitDraft[]
      readonly counters: Counters
      /** The limited routes that were exhausted on the way. */
      readonly exhausted: readonly string[]
      readonly end?: RunEnd
    }

type RunNow = Pick<Run, 'goal' | 'inputs' | 'counters' | 'state'> & { readonly visits: readonly Visit[] }

/** The order in which a judge sees what competes, so that none of it has the advantage of its place. */
type Shuffle = (ids: readonly VisitId[]) => readonly VisitId[]

/**
 * What a run does next. It follows from the rows alone: once all branches of the newest entry have ended, the run
 * continues. So an outcome that comes twice, late or out of order changes nothing.
 */
export function nextRunStep(playbook: Playbook, run: RunNow, shuffle: Shuffle): RunStep {
  if (run.state.type !== 'running') return { type: 'wait' }
  const facts: RunFacts = run
  const newest = lastEntry(run.visits)
  const [first] = newest
  if (first === undefined)
    return follow(playbook, facts, { shuffle, counters: run.counters, ordinal: 0 }, playbook.start)
  const { stage, ordinal } = first
  const entered = playbook.stages[stage]
  const outcome = entered === undefined ? 'failed' : entryOutcome(entered, newest)
  if (outcome === undefined) return { type: 'wait' }
  return leave(playbook, facts, { shuffle, counters: run.counters, ordinal }, stage, outcome)
}

type Place = { readonly shuffle: Shuffle; readonly counters: Counters; readonly ordinal: number }

function leave(playbook: Playbook, facts: RunFacts, place: Place, stage: string, outcome: Outcome): RunStep {
  const { to, counters, exhausted } = routeVisit(playbook, place.counters, stage, outcome)
  const passed = exhausted === undefined ? [] : [exhausted]
  if (to.type === 'end') return { type: 'continue', drafts: [], counters, exhausted: passed, end: to.end }
  const step = follow(playbook, facts, { ...place, counters }, to.stage)
  return step.type === 'wait' ? step : { ...step, exhausted: [...passed, ...step.exhausted] }
}

/** Enters a stage, and continues from it if it ends immediately. */
function follow(playbook: Playbook, facts: RunFacts, place: Place, stage: string): RunStep {
  const entered = playbook.stages[stage]
  if (entered === undefined)
    return { type: 'continue', drafts: [], counters: place.counters, exhausted: [], end: 'failed' }
  const ordinal = place.ordinal + 1
  const isSkipped = playbook.skipped?.includes(stage) === true
  const drafts = draftsOf(facts, place.shuffle, entered, isSkipped).map((draft) => ({
    ...draft,
    ordinal,
    stage,
    round: roundOf(facts.visits, stage),
  }))
  const outcome = outcomeAtOnce(entered, drafts)
  if (outcome === undefined) return { type: 'continue', drafts, counters: place.counters, exhausted: [] }
  const further = leave(playbook, facts, { ...place, ordinal }, stage, outcome)
  return further.type === 'wait' ? further : { ...further, drafts: [...drafts, ...further.drafts] }
}

function roundOf(visits: readonly Visit[], stage: string): number {
  return Math.max(0, ...visits.filter((visit) => visit.stage === stage).map(({ round }) => round)) + 1
}

function outcomeAtOnce(stage: Stage, [first]: readonly VisitDraft[]): Outcome | undefined {
  if (first?.outcome === undefined) return undefined
  if (stage.type === 'role' && stage.fanOut !== undefined) return 'none'
  return stage.type !== 'gate' && first.outcome === 'skipped' ? 'failed' : first.outcome
}

type Branch = Pick<VisitDraft, 'branch' | 'inputs' | 'item' | 'outcome' | 'problem'>

function draftsOf(facts: RunFacts, shuffle: Shuffle, stage: Stage, isSkipped: boolean): readonly Branch[] {
  const inputs = inputsOf(facts.visits, shuffle, stage)
  const single = (outcome?: Outcome): readonly Branch[] => [
    { branch: 0, inputs, ...(outcome === undefined ? {} : { outcome }) },
  ]
  if (isSkipped) return single('skipped')
  if (stage.type === 'choose') {
    const index = stage.cases.findIndex(({ condition }) => holds(facts, condition))
    return single(index < 0 ? 'else' : `${index}`)
  }
  if (stage.type === 'gate' && stage.condition !== undefined && !holds(facts, stage.condition)) {
    return single('skipped')
  }
  const fanOut = fanOutOf(stage)
  if (fanOut === undefined) return single()
  const branches = branchesOf(facts, fanOut)
  // Without anything to do, the entry has ended: none of its branches made anything.
  if (branches.length === 0) {
    const problem = whyEmpty(fanOut)
    return single(stage.type === 'checks' ? 'none' : 'failed').map((branch) => ({ ...branch, problem }))
  }
  return branches.map((branch, index) => ({
    ...branch,
    branch: index + 1,
    inputs: [...inputs, ...branch.inputs],
  }))
}

function whyEmpty(fanOut: FanOut): string {
  switch (fanOut.type) {
    case 'times':
      return 'there is nothing to do zero times'
    case 'over':
      return `the list ${describeReference(fanOut.list)} is empty`
    case 'each':
      return `${fanOut.stage} made nothing`
  }
}

function fanOutOf(stage: Stage): FanOut | undefined {
  if (stage.type === 'checks')
    return stage.each === undefined ? undefined : { type: 'each', stage: stage.each }
  return stage.type === 'role' ? stage.fanOut : undefined
}

function branchesOf(facts: RunFacts, fanOut: FanOut): readonly Pick<Branch, 'inputs' | 'item'>[] {
  switch (fanOut.type) {
    case 'times': {
      const wanted = typeof fanOut.count === 'number' ? fanOut.count : Number(findValue(facts, fanOut.count))
      const count = Math.min(Number.isInteger(wanted) ? wanted : 0, RUN_LIMITS.branches)
      return Array.from({ length: Math.max(0, count) }, () => ({ inputs: [] }))
    }
    case 'over': {
      const list = findValue(facts, fanOut.list)
      return (Array.isArray(list) ? list : [])
        .slice(0, fanOut.max)
        .map((item: unknown) => ({ inputs: [], item }))
    }
    case 'each':
      return newestEntry(facts.visits, fanOut.stage)
        .filter((visit) => outcomeOf(visit) === 'done' && visit.commit !== undefined)
        .map(({ id }) => ({ inputs: [id] }))
  }
}

/** The visits whose results a stage sees. */
function inputsOf(visits: readonly Visit[], shuffle: Shuffle, stage: Stage): readonly VisitId[] {
  const ids = [...new Set(referencesOf(stage).flatMap((one) => seenVisits(visits, one).map(({ id }) => id)))]
  return stage.type === 'role' && hasFormat(stage.output, 'choice') ? shuffle(ids) : ids
}

function referencesOf(stage: Stage): readonly Reference[] {
  switch (stage.type) {
    case 'role':
      return stage.sees
    case 'gate':
      return stage.shows
    case 'playbook':
      return Object.values(stage.inputs)
    case 'checks':
    case 'choose':
      return []
  }
}
