import type { JobPlan } from '../job/job.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RunEnd } from '../playbook/route.ts'
import { asksPerson } from './asks-person.ts'
import { denyingGate } from './denied-work.ts'
import { describeRunEnd } from './describe-run-end.ts'
import { isApproved } from './is-approved.ts'
import type { Run } from './run.ts'
import type { RunHistory } from './run-history.ts'
import { bestWork, newestWork, type RunWork } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** How a run ends, and what becomes of its work. */
export type RunEnding =
  /** There are only documents, and its task is completed. */
  | { readonly type: 'complete' }
  | { readonly type: 'land'; readonly end: RunEnd; readonly work: RunWork; readonly reason: string }
  /** A person decides whether the work lands. */
  | { readonly type: 'ask'; readonly end: RunEnd; readonly work: RunWork; readonly reason: string }
  /** Nothing lands. The work stays pinned. */
  | { readonly type: 'give-up'; readonly end: RunEnd; readonly reason: string }
  /** The run that waits for it gets its work, and routes its outcome. */
  | { readonly type: 'pass-on'; readonly end: RunEnd; readonly work?: RunWork; readonly reason: string }

type Ended = {
  readonly run: Pick<Run, 'parentId' | 'playbook' | 'continues'>
  readonly visits: readonly Visit[]
  readonly playbook: Playbook
  readonly plan: Pick<JobPlan, 'reviews' | 'reviewer'>
  /** Of all runs that it belongs to. */
  readonly history: RunHistory
}

/** How a run ends where its playbook leads. `exhausted`: the routes that it has taken as often as they allow. */
export function runEnding(ended: Ended, end: RunEnd, exhausted: readonly string[]): RunEnding {
  const { run, visits, playbook } = ended
  const reason = describeRunEnd(end, visits, exhausted, playbook.skipped) ?? ''
  if (run.parentId !== undefined) return passedOn(ended, end, reason)
  if (end === 'done') return { type: 'complete' }
  const work = end === 'land' ? newestWork(playbook, visits) : bestWork(playbook, visits)
  if (end === 'failed') return { type: 'give-up', end, reason }
  if (work !== undefined) return withWork(ended, end, work, reason)
  return end === 'land'
    ? { type: 'give-up', end: 'failed', reason: 'it reached its end without work to land' }
    : { type: 'give-up', end, reason }
}

/** How a run ends that may not go on: as partial with the best that it has, or as failed if it has nothing. */
export function earlyEnding(ended: Ended, reason: string, hasDocuments: boolean): RunEnding {
  const { run, visits, playbook } = ended
  const work = bestWork(playbook, visits)
  const hasNothing = work === undefined && !(hasDocuments && makesOnlyDocuments(playbook))
  const end = hasNothing ? 'failed' : 'partial'
  if (run.parentId !== undefined) return passedOn(ended, end, reason)
  return work === undefined ? { type: 'give-up', end, reason } : withWork(ended, end, work, reason)
}

function makesOnlyDocuments({ stages }: Playbook): boolean {
  return Object.values(stages).every(
    (stage) => stage.type !== 'playbook' && !(stage.type === 'role' && hasFormat(stage.output, 'change')),
  )
}

/** Whatever the playbook says, nothing lands that a person denied or that a reviewer had to approve and didn't. */
function withWork(
  { run, visits, playbook, plan, history }: Ended,
  end: RunEnd,
  work: RunWork,
  reason: string,
): RunEnding {
  const partial = asksPerson(plan, run) ? playbook.result.partial : 'keep'
  const lands = end === 'land' || partial === 'land'
  if (!lands) return partial === 'ask' ? { type: 'ask', end, work, reason } : { type: 'give-up', end, reason }
  const gate = denyingGate(history, work.commit)
  if (gate !== undefined) {
    const why = `${gate.stage} ended with ${outcomeOf(gate)}, so this work must not land`
    return { type: 'give-up', end: 'partial', reason: why }
  }
  if (plan.reviewer !== undefined && !isApproved(playbook, visits, work.commit)) {
    return { type: 'give-up', end: 'unverified', reason: 'no reviewer has approved this work' }
  }
  return { type: 'land', end, work, reason }
}

/** A run within another one asks nobody and lands nothing. Work that a person denied isn't passed on. */
function passedOn({ run, visits, playbook, history }: Ended, end: RunEnd, reason: string): RunEnding {
  const work = end === 'land' ? newestWork(playbook, visits) : usableWork(playbook, visits, end)
  if (work === undefined) {
    const hasNothing = end === 'land' && run.continues === undefined
    return hasNothing
      ? { type: 'pass-on', end: 'failed', reason: 'it reached its end without any work' }
      : { type: 'pass-on', end, reason }
  }
  const gate = denyingGate(history, work.commit)
  if (gate === undefined) return { type: 'pass-on', end, work, reason }
  const why = `${gate.stage} ended with ${outcomeOf(gate)}, so its work can't be used`
  return { type: 'pass-on', end: 'partial', reason: why }
}

/** Work that isn't complete, or that nobody judged, is passed on unless the playbook says that it is only kept. */
function usableWork(playbook: Playbook, visits: readonly Visit[], end: RunEnd): RunWork | undefined {
  const isUnusable = end === 'done' || end === 'failed' || playbook.result.partial === 'keep'
  return isUnusable ? undefined : bestWork(playbook, visits)
}
