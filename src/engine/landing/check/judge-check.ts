import type { NewEvent } from '../../../domain/event/event.ts'
import { landingChecked, landingChecking } from '../../../domain/event/landing-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { CandidateEvent } from '../../../domain/landing/next-candidate-state.ts'
import { type CheckRetry, retryCheck } from '../../../domain/landing/retry-check.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { type CheckRequest, newCheck, ofCandidate } from '../../sessions/create/new-check.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { storeCandidate, whenPausing, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { type CheckedTree, type CheckProblem, findCheckProblem, isAltered } from './find-check-problem.ts'
import { isTolerated } from './tolerated-checks.ts'

type Checking = Extract<CandidateState, { type: 'checking' }>

/**
 * Applies the end of a check: the next check starts, the same check runs again, or the candidate has passed or failed.
 * Returns false while the check is running.
 */
export async function judgeCheck(
  needs: LandingNeeds,
  job: Job,
  candidate: Candidate,
  state: Checking,
): Promise<boolean> {
  const session = await needs.store.read.sessions.find(state.sessionId)
  if (session?.state.type !== 'terminated') return false
  const { end } = session.state
  const command = job.plan.checks[state.checkIndex] ?? session.agentName
  const tree = treeOfCandidate(needs, job, candidate)
  const problem = await findCheckProblem(needs, tree, session, end)
  const failedOnBase =
    problem !== undefined && (await isTolerated(needs, job, { command, kind: problem.kind }))
  const retry = problem === undefined || failedOnBase ? undefined : retryCheck(state, end)
  if (retry !== undefined) return repeatCheck(needs, job, { candidate, state, command }, retry)
  const checks = [...candidate.checks, resultOf({ candidate, state, command }, problem, failedOnBase)]
  if (problem !== undefined && !failedOnBase) {
    return endChecks(needs, candidate, state, checks, {
      type: 'check-fail',
      reason: `check "${command}" ${problem.text}`,
    })
  }
  const index = state.checkIndex + 1
  const next = job.plan.checks[index]
  if (next === undefined) return endChecks(needs, candidate, state, checks, { type: 'checks-pass' })
  return runCheck(needs, candidate, {
    // A tolerated failure may have changed the files. What is checked next must be what would land.
    request: { index, command: next, isFresh: failedOnBase && (await isAltered(needs, tree)) },
    event: (sessionId) => ({ type: 'check-next', sessionId }),
    checks,
    data: { check: next },
  })
}

type Ended = { readonly candidate: Candidate; readonly state: Checking; readonly command: string }

function treeOfCandidate(needs: LandingNeeds, { projectId, plan }: Job, candidate: Candidate): CheckedTree {
  const { id, onto, commit, purpose } = candidate
  const tree = { projectId, directory: treeOf(needs, id), commit, setup: plan.setup ?? [] }
  if (purpose.type !== 'landings') return tree
  return {
    ...tree,
    readCreated: async () => {
      const size = await needs.history.measure(projectId, onto, commit)
      return size.ok ? size.value.createdPaths : []
    },
  }
}

function resultOf(
  { candidate: { tree }, state, command }: Ended,
  problem: CheckProblem | undefined,
  failedOnBase: boolean,
): CheckResult {
  if (problem !== undefined) {
    const result = { command, passed: false, detail: problem.text, tree }
    return failedOnBase ? { ...result, failedOnBase } : result
  }
  return state.suspects.includes(state.checkIndex)
    ? { command, passed: true, detail: 'failed once and passed when it ran again', tree, isFlaky: true }
    : { command, passed: true, detail: 'passed', tree }
}

/** Starts again with the first check in a new tree, because a check may need files that earlier checks made. */
function repeatCheck(
  needs: LandingNeeds,
  job: Job,
  { candidate, command }: Ended,
  { why, pauseMs }: CheckRetry,
): Promise<boolean> {
  const first = job.plan.checks[0] ?? command
  return runCheck(needs, candidate, {
    request: { index: 0, command: first, isFresh: true, pauseMs },
    event: (sessionId) => ({ type: 'check-again', sessionId, why }),
    checks: [],
    data: { check: command, again: why },
  })
}

type CheckRun = {
  readonly request: CheckRequest
  readonly event: (sessionId: SessionId) => CandidateEvent
  readonly checks: Candidate['checks']
  /** The text of the event. */
  readonly data: { readonly check: string; readonly again?: 'failed' | 'lost' }
}

async function runCheck(
  needs: LandingNeeds,
  candidate: Candidate,
  { request, event, checks, data }: CheckRun,
): Promise<boolean> {
  const check = newCheck(needs, ofCandidate(candidate), request)
  return withCandidate(needs, candidate, async (records) => {
    await storeCandidate(needs, records, candidate.id, { event: event(check.session.id), checks })
    await check.insert(records)
    await report(records, candidate, (landing, task) => landingChecking(landing, task, candidate, data))
    return true
  })
}

/** Stores the result of the checks. The last check's tree and output are cleared later. */
async function endChecks(
  needs: LandingNeeds,
  candidate: Candidate,
  { sessionId }: Checking,
  checks: Candidate['checks'],
  event: Extract<CandidateEvent, { type: 'checks-pass' | 'check-fail' }>,
): Promise<boolean> {
  return withCandidate(needs, candidate, async (records, job) => {
    const follow: Work[] = [...whenPausing(job), { type: 'session-clear', sessionId }]
    await storeCandidate(needs, records, candidate.id, { event, checks, follow })
    if (event.type === 'check-fail') return true
    await report(records, candidate, (landing, task) => landingChecked(landing, task, candidate, checks))
    return true
  })
}

/** One event about a candidate for each of its tasks. */
async function report(
  records: Records,
  candidate: Candidate,
  eventOf: (landing: Landing, task: Task) => NewEvent,
): Promise<void> {
  for (const landingId of landingIdsOf(candidate)) {
    const landing = await records.landings.find(landingId)
    const task = landing === undefined ? undefined : await records.tasks.find(landing.taskId)
    if (landing === undefined || task === undefined) continue
    const event = eventOf(landing, task)
    await records.note({
      audit: { actor: 'engine', action: event.type, subject: landing.id, detail: {} },
      events: [event],
    })
  }
}

/** The invariant of every landing: the tree that lands is the tree that was checked. */
export async function requireCheckedTree(
  { history }: Pick<LandingNeeds, 'history'>,
  { projectId }: Job,
  { commit, tree: checked }: Candidate,
): Promise<void> {
  const tree = await history.treeOf(projectId, commit)
  if (tree !== checked) throw new Error(`commit ${commit} has tree ${tree}, but ${checked} was checked`)
}
