import type { NewEvent } from '../../../domain/event/event.ts'
import { landingChecked, landingChecking } from '../../../domain/event/landing-events.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { LANDING_LIMITS } from '../../../domain/limits/landing-limits.ts'
import { GIVE_UP_AFTER_MS, RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { describeSessionEnd } from '../../../domain/session/describe-session-end.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { describeFailure } from '../../describe-failure.ts'
import { hostOf } from '../../sessions/host-of.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { storeCandidate, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { outputOfCheck } from './check-output.ts'
import { clearCheck } from './clear-check.ts'
import { newCheck } from './new-check.ts'

type Checking = Extract<CandidateState, { type: 'checking' }>

/** Takes up the end of a check: on to the next one, once more, or passed or failed. False while it runs. */
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
  const judged: Judged = { candidate, state, command, end, ...(problem === undefined ? {} : { problem }) }
  if (problem === undefined) return passCheck(needs, job, judged)
  const again = whyAgain(judged)
  return again === undefined ? failCheck(needs, judged, problem) : repeatCheck(needs, job, judged, again)
}

/** What may be a passing trouble of the machine is tried again for a while; then it is said. */
function orLater(needs: LandingNeeds, candidate: Candidate, problem: string): string {
  const waitedMs = needs.clock.now().getTime() - candidate.createdAt.getTime()
  const patienceMs = needs.settings.checkMinutes * 60_000 + GIVE_UP_AFTER_MS
  if (waitedMs < patienceMs) throw new Error(`candidate ${candidate.id}: it ${problem}`)
  return problem
}

type Judged = {
  readonly candidate: Candidate
  readonly state: Checking
  readonly command: string
  readonly end: SessionEnd
  readonly problem?: string
}

/** Why a check has not passed; nothing when it has. */
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
  // A setup runs in the same tree before the check: which of the two it was is not known.
  return (job.plan.setup ?? []).length === 0
    ? `changed files that it should check: ${files}`
    : `says nothing: the setup or check changed files that are checked: ${files}`
}

/**
 * A check that failed by itself gets a second chance, once; one that hung or was stopped does not. What ended in a way
 * that says nothing about the tree is run again, later each time: what was in the way may go away.
 */
function whyAgain({ state, end }: Judged): 'failed' | 'lost' | undefined {
  if (end.type === 'lost' || end.type === 'unprepared')
    return state.lost + 1 < RETRY_LIMITS.lostChecks ? 'lost' : undefined
  if (end.type === 'unstarted') return state.lost + 1 < RETRY_LIMITS.unstartedChecks ? 'lost' : undefined
  const hasFailed = end.type === 'exited' && end.code !== 0
  return hasFailed && !state.suspects.includes(state.checkIndex) ? 'failed' : undefined
}

async function passCheck(needs: LandingNeeds, job: Job, judged: Judged): Promise<boolean> {
  const { candidate, state } = judged
  const checks = [...candidate.checks, resultOf(judged)]
  const next = job.plan.checks[state.checkIndex + 1]
  if (next !== undefined) return startNext(needs, judged, checks, next)
  const stored = await withCandidate(needs, candidate, async (records) => {
    const event = { type: 'checks-pass' } as const
    await storeCandidate(needs, records, candidate.id, { event, checks, follow: lookAgain(job.id) })
    await report(records, candidate, (landing, task) => landingChecked(landing, task, candidate, checks))
    return true
  })
  if (stored) await clearCheck(needs, candidate)
  return stored
}

async function startNext(
  needs: LandingNeeds,
  { candidate, state }: Judged,
  checks: Candidate['checks'],
  command: string,
): Promise<boolean> {
  const check = newCheck(needs, candidate, { index: state.checkIndex + 1, command, isFresh: false })
  const stored = await withCandidate(needs, candidate, async (records) => {
    const event = { type: 'check-next', sessionId: check.session.id } as const
    await storeCandidate(needs, records, candidate.id, { event, checks })
    await check.insert(records)
    await report(records, candidate, (landing, task) =>
      landingChecking(landing, task, candidate, { check: command }),
    )
    return true
  })
  if (stored) await needs.host.remove(hostOf({ id: state.sessionId, life: 1 }))
  return stored
}

/** In a new copy of the same tree: what the first run left in the old one must not help or harm the second. */
async function repeatCheck(
  needs: LandingNeeds,
  job: Job,
  judged: Judged,
  why: 'failed' | 'lost',
): Promise<boolean> {
  const { candidate, state, command } = judged
  const pauseMs = why === 'failed' ? 0 : Math.min(LANDING_LIMITS.checkPauseMs, 2_000 * 2 ** state.lost)
  const first = job.plan.checks[0] ?? command
  const check = newCheck(needs, candidate, { index: 0, command: first, isFresh: true, pauseMs })
  const stored = await withCandidate(needs, candidate, async (records) => {
    const event = { type: 'check-again', sessionId: check.session.id, why } as const
    await storeCandidate(needs, records, candidate.id, { event, checks: [] })
    await check.insert(records)
    await report(records, candidate, (landing, task) =>
      landingChecking(landing, task, candidate, { check: command, again: why }),
    )
    return true
  })
  if (stored) await needs.host.remove(hostOf({ id: state.sessionId, life: 1 }))
  return stored
}

async function failCheck(needs: LandingNeeds, judged: Judged, problem: string): Promise<boolean> {
  const { candidate, command } = judged
  const reason = `check "${command}" ${problem}`
  const checks = [...candidate.checks, resultOf(judged)]
  const stored = await withCandidate(needs, candidate, (records) =>
    storeCandidate(needs, records, candidate.id, {
      event: { type: 'check-fail', reason },
      checks,
      follow: lookAgain(candidate.jobId),
    }),
  )
  if (stored) await clearCheck(needs, candidate)
  return stored
}

/** A job that pauses waits for its checks. */
function lookAgain(jobId: JobId): readonly Work[] {
  return [{ type: 'job-advance', jobId }]
}

function resultOf({ candidate, state, command, problem }: Judged): CheckResult {
  const { tree } = candidate
  if (problem !== undefined) return { command, passed: false, detail: problem, tree }
  return state.suspects.includes(state.checkIndex)
    ? { command, passed: true, detail: 'failed once, and passed when it was run again', tree, isFlaky: true }
    : { command, passed: true, detail: 'passed', tree }
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
