import type { VisitId } from '../id.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Stage } from '../playbook/stage.ts'
import { entriesOf } from './entries.ts'
import { entryOutcome } from './entry-outcome.ts'
import type { Run } from './run.ts'
import { seenVisits } from './seen-visits.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { choiceOf } from './visit-answer.ts'

/** A commit of a run, and the visit that made it. */
export type RunWork = { readonly commit: string; readonly by: Visit }

type Stages = Pick<Playbook, 'stages'>

/**
 * The work of a run: its newest accepted change, the change that a judge chose, or the only one that passed its checks.
 * Undefined before there is any, and while several compete.
 */
export function newestWork({ stages }: Stages, visits: readonly Visit[]): RunWork | undefined {
  for (const entry of entriesOf(visits).toReversed()) {
    const stage = stages[entry[0]?.stage ?? '']
    if (stage === undefined || entry.some(({ state }) => state.type !== 'settled')) continue
    const commit = commitOf(stage, entry, visits)
    if (commit.type === 'none') continue
    return commit.type === 'one' ? workAt(stages, visits, commit.commit) : undefined
  }
  return undefined
}

/** The commit that a run has come to: its own work, or the work that it continues. Undefined before there is any. */
export function commitOfRun(
  playbook: Stages,
  run: Pick<Run, 'continues'>,
  visits: readonly Visit[],
): string | undefined {
  return newestWork(playbook, visits)?.commit ?? run.continues?.commit
}

/** The commit that a run starts from. */
export function startOfRun({ continues, baseCommit }: Pick<Run, 'continues' | 'baseCommit'>): string {
  return continues?.commit ?? baseCommit
}

/** The work of a run, or the best of those that compete. */
export function bestWork(playbook: Stages, visits: readonly Visit[]): RunWork | undefined {
  const newest = newestWork(playbook, visits)
  if (newest !== undefined) return newest
  const made = visits.filter(({ commit }) => commit !== undefined)
  for (const [first] of entriesOf(made).toReversed()) {
    const [best] = first === undefined ? [] : seenVisits(made, { of: first.stage, field: 'best' })
    const work = best?.commit === undefined ? undefined : workAt(playbook.stages, visits, best.commit)
    if (work !== undefined) return work
  }
  return undefined
}

/**
 * What a person means by the work of a run: what it ended with or asks about; before that, the best that it has.
 * Undefined if it has made none.
 */
export function resultOfRun(
  playbook: Stages,
  { state }: Pick<Run, 'state'>,
  visits: readonly Visit[],
): RunWork | undefined {
  const chosen = 'work' in state ? visits.find(({ id }) => id === state.work) : undefined
  if (chosen?.commit !== undefined) return { commit: chosen.commit, by: chosen }
  return bestWork(playbook, visits)
}

/**
 * The tree of a commit that the run made. A visit that only judged the commit doesn't know its tree. Undefined if no visit
 * does.
 */
export function treeOfCommit(visits: readonly Visit[], commit: string): string | undefined {
  return visits.find((visit) => visit.commit === commit && visit.work?.tree !== undefined)?.work?.tree
}

type Commit =
  | { readonly type: 'none' }
  | { readonly type: 'one'; readonly commit: string }
  | { readonly type: 'several' }

function commitOf(stage: Stage, entry: readonly Visit[], visits: readonly Visit[]): Commit {
  const one = (visit: Visit | undefined): Commit =>
    visit?.commit === undefined ? { type: 'none' } : { type: 'one', commit: visit.commit }
  if (stage.type === 'checks' && stage.each !== undefined) {
    const outcome = entryOutcome(stage, entry)
    return outcome === 'one' ? one(entry.find((visit) => outcomeOf(visit) === 'pass')) : { type: 'several' }
  }
  if (stage.type === 'playbook') return one(entry[0])
  if (stage.type !== 'role') return { type: 'none' }
  const done = entry.filter((visit) => outcomeOf(visit) === 'done')
  if (hasFormat(stage.output, 'choice')) return one(chosenOf(done[0], visits))
  if (!hasFormat(stage.output, 'change') || done.length === 0) return { type: 'none' }
  return stage.fanOut === undefined ? one(done[0]) : { type: 'several' }
}

/** What a judge chose: a number, from 1, in the order in which it saw the candidates. */
export function chosenOf(judged: Visit | undefined, visits: readonly Visit[]): Visit | undefined {
  const id = candidatesIn(judged?.inputs ?? [], visits)[choiceOf(judged?.answer) - 1]
  return visits.find((visit) => visit.id === id)
}

/** The inputs of a judge that compete with each other: the branches of a fan-out. */
export function candidatesIn(inputs: readonly VisitId[], visits: readonly Visit[]): readonly VisitId[] {
  const branches = new Set(visits.filter(({ branch }) => branch > 0).map(({ id }) => id))
  return inputs.filter((id) => branches.has(id))
}

function workAt(stages: Stages['stages'], visits: readonly Visit[], commit: string): RunWork | undefined {
  const by = visits.findLast((visit) => {
    const stage = stages[visit.stage]
    if (visit.commit !== commit) return false
    if (stage?.type === 'playbook') return true
    return stage?.type === 'role' && hasFormat(stage.output, 'change') && outcomeOf(visit) === 'done'
  })
  return by === undefined ? undefined : { commit, by }
}
