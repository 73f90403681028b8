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
import { GIVE_UP_AFTER_MS } from '../../../domain/limits/retry-limits.ts'
import { describeSessionEnd } from '../../../domain/session/describe-session-end.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import { hostOf } from '../../sessions/host-of.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { storeCandidate, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { outputOfCheck } from './check-output.ts'
import { clearCheck } from './clear-check.ts'
import { type CheckRequest, newCheck } from './new-check.ts'

type Checking = Extract<CandidateState, { type: 'checking' }>

/** Applies the end of a check: the next check, the same again, or the candidate has passed or failed. False while it runs. */
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
  const problem = await problemOf(needs, job, candidate, state, end)
  const retry = problem === undefined ? undefined : retryCheck(state, end)
  if (retry !== undefined) return repeatCheck(needs, job, { candidate, state, command }, retry)
  const checks = [...candidate.checks, resultOf({ candidate, state, command }, problem)]
  if (problem !== undefined) {
    return endChecks(needs, candidate, checks, {
      type: 'check-fail',
      reason: `check "${command}" ${problem}`,
    })
  }
  const index = state.checkIndex + 1
  const next = job.plan.checks[index]
  if (next === undefined) return endChecks(needs, candidate, checks, { type: 'checks-pass' })
  return runCheck(needs, candidate, state, {
    request: { index, command: next, isFresh: false },
    event: (sessionId) => ({ type: 'check-next', sessionId }),
    checks,
    data: { check: next },
  })
}

/** Why a check has not passed; undefined when it has. */
async function problemOf(
  needs: LandingNeeds,
  job: Job,
  candidate: Candidate,
  state: Checking,
  end: SessionEnd,
): Promise<string | undefined> {
  if (end.type !== 'exited' || end.code !== 0) {
    return `${describeSessionEnd(end)}${await outputOfCheck(needs, state.sessionId)}`
  }
  // What passed must be what lands: a check that rewrites the files it checks has checked something else.
  const directory = treeOf(needs, candidate.id)
  const altered = await needs.trees.alteredFiles(job.projectId, directory, candidate.commit)
  if (!altered.ok) {
    const problem = `left a tree that cannot be read: ${describeFailure(altered.failure)}`
    return orLater(needs, candidate, problem)
  }
  if (altered.value.length === 0) return undefined
  const files = altered.value.join(', ')
  // A setup runs in the same tree before the check, so either of them may have changed the files.
  return (job.plan.setup ?? []).length === 0
    ? `changed files that it should check: ${files}`
    : `says nothing: the setup or check changed files that are checked: ${files}`
}

/** A problem that may be the machine's and pass is thrown, and so retried, for a while; then it counts. */
function orLater(needs: LandingNeeds, candidate: Candidate, problem: string): string {
  const waitedMs = needs.clock.now().getTime() - candidate.createdAt.getTime()
  const patienceMs = needs.settings.checkMinutes * 60_000 + GIVE_UP_AFTER_MS
  if (waitedMs < patienceMs) throw new Error(`candidate ${candidate.id}: a check ${problem}`)
  return problem
}

type Ended = { readonly candidate: Candidate; readonly state: Checking; readonly command: string }

function resultOf({ candidate: { tree }, state, command }: Ended, problem: string | undefined): CheckResult {
  if (problem !== undefined) return { command, passed: false, detail: problem, tree }
  return state.suspects.includes(state.checkIndex)
    ? { command, passed: true, detail: 'failed once, and passed when it was run again', tree, isFlaky: true }
    : { command, passed: true, detail: 'passed', tree }
}

/** From the first check on, in a new copy of the tree: each check may need what those before it have made. */
function repeatCheck(
  needs: LandingNeeds,
  job: Job,
  { candidate, state, command }: Ended,
  { why, pauseMs }: CheckRetry,
): Promise<boolean> {
  const first = job.plan.checks[0] ?? command
  return runCheck(needs, candidate, state, {
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
  /** What the event says about it. */
  readonly data: { readonly check: string; readonly again?: 'failed' | 'lost' }
}

async function runCheck(
  needs: LandingNeeds,
  candidate: Candidate,
  ended: Checking,
  { request, event, checks, data }: CheckRun,
): Promise<boolean> {
  const check = newCheck(needs, candidate, request)
  const stored = await withCandidate(needs, candidate, async (records) => {
    await storeCandidate(needs, records, candidate.id, { event: event(check.session.id), checks })
    await check.insert(records)
    await report(records, candidate, (landing, task) => landingChecking(landing, task, candidate, data))
    return true
  })
  if (stored) await needs.host.remove(hostOf({ id: ended.sessionId, life: 1 }))
  return stored
}

async function endChecks(
  needs: LandingNeeds,
  candidate: Candidate,
  checks: Candidate['checks'],
  event: Extract<CandidateEvent, { type: 'checks-pass' | 'check-fail' }>,
): Promise<boolean> {
  const stored = await withCandidate(needs, candidate, async (records) => {
    // A job that is pausing waits for its checks.
    const follow = [{ type: 'job-advance', jobId: candidate.jobId } as const]
    await storeCandidate(needs, records, candidate.id, { event, checks, follow })
    if (event.type === 'check-fail') return true
    await report(records, candidate, (landing, task) => landingChecked(landing, task, candidate, checks))
    return true
  })
  if (stored) await clearCheck(needs, candidate)
  return stored
}

/** Reports what happens to a candidate for each task that is part of it. */
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
