import {
  type Baseline,
  type BaselineResult,
  commandsOf,
  failuresOf,
  namedCommand,
} from '../../domain/baseline/baseline.ts'
import { type BaselineState, isBaselineFinished } from '../../domain/baseline/baseline-state.ts'
import { type BaselineEvent, nextBaselineState } from '../../domain/baseline/next-baseline-state.ts'
import { checkOutcome } from '../../domain/check/check-outcome.ts'
import type { BaselineId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { CheckedTree } from '../checks/find-check-problem.ts'
import { type JudgedCheck, judgeCheck, type NextCheck } from '../checks/judge-check.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { ofBaseline } from '../sessions/create/new-check.ts'
import { treeOf } from '../trees/tree-of.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'host' | 'clock' | 'ids' | 'settings' | 'crash' | 'wakeAt'>
type Checking = Extract<BaselineState, { type: 'checking' }>

/**
 * Applies the end of a base's check: the next check starts, all run again, or there is a verdict. Unlike on a
 * candidate, a failure doesn't end the checks, because a later decision needs the result of each.
 */
export async function advanceBaseline(needs: Needs, baselineId: BaselineId): Promise<void> {
  const baseline = await needs.store.read.baselines.find(baselineId)
  if (baseline?.state.type !== 'checking') return
  const { state } = baseline
  const judged = await judgeCheck(needs, {
    checked: ofBaseline(baseline),
    commands: commandsOf(baseline),
    progress: state,
    tree: treeOfBaseline(needs, baseline),
    ruleFor: async () => 'continue',
  })
  if (judged === undefined) return
  const { end, problem, next } = judged
  const checked = { ...baseline, results: [...baseline.results, resultOf(baseline, state, judged)] }
  if (next.type === 'run') return runCheck(needs, checked, next)
  if (end.type === 'cancelled') return storeVerdict(needs, baseline, state, { type: 'checks-release' })
  if (problem !== undefined && problem.kind === undefined) {
    return storeVerdict(needs, baseline, state, { type: 'checks-lost', reason: problem.text })
  }
  const hasFailures = failuresOf(checked).length > 0
  return storeVerdict(needs, checked, state, { type: 'checks-end', hasFailures })
}

function treeOfBaseline(needs: Needs, baseline: Baseline): CheckedTree {
  const { id, projectId, commit, setup } = baseline
  return { projectId, directory: treeOf(needs, id), commit, setup }
}

function resultOf(baseline: Baseline, state: Checking, { end, problem }: JudgedCheck): BaselineResult {
  const command = end.type === 'unprepared' ? end.command : namedCommand(baseline, state.checkIndex)
  const result = { command, ...checkOutcome(state, problem) }
  return problem?.kind === undefined ? result : { ...result, failure: problem.kind }
}

async function runCheck(needs: Needs, baseline: Baseline, { check, event }: NextCheck): Promise<void> {
  const results = event.type === 'check-again' ? [] : baseline.results
  await needs.store.transact(async (records) => {
    const isStored = await store(needs, records, { ...baseline, results }, event, [])
    if (isStored) await check.insert(records)
  })
}

/** Stores the verdict and wakes every job that waits for it. */
async function storeVerdict(
  needs: Needs,
  baseline: Baseline,
  { sessionId }: Checking,
  event: BaselineEvent,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const waiting = (await records.jobs.listOpen()).filter(({ base }) => base?.baselineId === baseline.id)
    const advance = waiting.map(({ id: jobId }) => ({ type: 'job-advance', jobId }) as const)
    await store(needs, records, baseline, event, [...advance, { type: 'session-clear', sessionId }])
    needs.crash.reach('baseline.before-verdict')
  })
}

async function store(
  needs: Needs,
  records: Records,
  baseline: Baseline,
  event: BaselineEvent,
  follow: readonly Work[],
): Promise<boolean> {
  const state = nextBaselineState(baseline.state, event)
  if (!state.ok) return false
  const ended = isBaselineFinished(state.value) ? { endedAt: needs.clock.now() } : {}
  await records.baselines.save(
    { ...baseline, ...ended, state: state.value },
    { audit: { actor: 'engine', action: event.type, subject: baseline.id, detail: {} }, follow },
  )
  return true
}
