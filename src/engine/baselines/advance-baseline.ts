import {
  type Baseline,
  type BaselineResult,
  commandsOf,
  namedCommand,
} from '../../domain/baseline/baseline.ts'
import { type BaselineState, isBaselineFinished } from '../../domain/baseline/baseline-state.ts'
import { type BaselineEvent, nextBaselineState } from '../../domain/baseline/next-baseline-state.ts'
import type { BaselineId, SessionId } from '../../domain/id.ts'
import { type CheckRetry, retryCheck } from '../../domain/landing/retry-check.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import {
  type CheckedTree,
  type CheckProblem,
  findCheckProblem,
  isAltered,
} from '../landing/check/find-check-problem.ts'
import { type CheckRequest, newCheck, ofBaseline } from '../sessions/create/new-check.ts'
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
  const session = await needs.store.read.sessions.find(state.sessionId)
  if (session?.state.type !== 'terminated') return
  const { end } = session.state
  if (end.type === 'cancelled') return storeVerdict(needs, baseline, state, { type: 'checks-release' })
  const tree = treeOfBaseline(needs, baseline)
  const problem = await findCheckProblem(needs, tree, session, end)
  const retry = problem === undefined ? undefined : retryCheck(state, end)
  if (retry !== undefined) return repeatChecks(needs, baseline, retry)
  if (problem !== undefined && problem.kind === undefined) {
    return storeVerdict(needs, baseline, state, { type: 'checks-lost', reason: problem.text })
  }
  const results = [...baseline.results, resultOf(baseline, state, end, problem)]
  const index = state.checkIndex + 1
  const command = problem?.kind === 'setup' ? undefined : commandsOf(baseline)[index]
  if (command === undefined) {
    const hasFailures = results.some(({ failure }) => failure !== undefined)
    return storeVerdict(needs, { ...baseline, results }, state, { type: 'checks-end', hasFailures })
  }
  const isFresh = problem !== undefined && (await isAltered(needs, tree))
  await runCheck(needs, { ...baseline, results }, { index, command, isFresh }, (sessionId) => ({
    type: 'check-next',
    sessionId,
  }))
}

function treeOfBaseline(needs: Needs, baseline: Baseline): CheckedTree {
  const { id, projectId, commit, setup } = baseline
  return { projectId, directory: treeOf(needs, id), commit, setup }
}

function resultOf(
  baseline: Baseline,
  { checkIndex, suspects }: Checking,
  end: SessionEnd,
  problem: CheckProblem | undefined,
): BaselineResult {
  const command = end.type === 'unprepared' ? end.command : namedCommand(baseline, checkIndex)
  if (problem?.kind !== undefined) return { command, failure: problem.kind, detail: problem.text }
  return suspects.includes(checkIndex)
    ? { command, detail: 'failed once and passed when it ran again', isFlaky: true }
    : { command, detail: 'passed' }
}

function repeatChecks(needs: Needs, baseline: Baseline, { why, pauseMs }: CheckRetry): Promise<void> {
  const [command = ''] = commandsOf(baseline)
  const request = { index: 0, command, isFresh: true, pauseMs }
  return runCheck(needs, { ...baseline, results: [] }, request, (sessionId) => ({
    type: 'check-again',
    sessionId,
    why,
  }))
}

async function runCheck(
  needs: Needs,
  baseline: Baseline,
  request: CheckRequest,
  eventOf: (sessionId: SessionId) => BaselineEvent,
): Promise<void> {
  const check = newCheck(needs, ofBaseline(baseline), request)
  await needs.store.transact(async (records) => {
    const isStored = await store(needs, records, baseline, eventOf(check.session.id), [])
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
