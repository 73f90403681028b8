import { assertNever } from '../../../domain/assert-never.ts'
import { checkOutcome } from '../../../domain/check/check-outcome.ts'
import type { NewEvent } from '../../../domain/event/event.ts'
import { landingChecked, landingChecking } from '../../../domain/event/landing-events.ts'
import type { Job } from '../../../domain/job/job.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { CandidateEvent } from '../../../domain/landing/next-candidate-state.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { CheckedTree } from '../../checks/find-check-problem.ts'
import { type JudgedCheck, judgeCheck, type NextCheck } from '../../checks/judge-check.ts'
import { ofCandidate } from '../../sessions/create/new-check.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { storeCandidate, whenPausing, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { isTolerated } from './tolerated-checks.ts'

type Checking = Extract<CandidateState, { type: 'checking' }>

/**
 * Applies the end of a candidate's check: the next check starts, all run again, or the candidate has passed or failed.
 * Returns false while the check is running.
 */
export async function judgeCandidate(
  needs: LandingNeeds,
  job: Job,
  candidate: Candidate,
  state: Checking,
): Promise<boolean> {
  const judged = await judgeCheck(needs, {
    checked: ofCandidate(candidate),
    commands: job.plan.checks,
    progress: state,
    tree: treeOfCandidate(needs, job, candidate),
    ruleFor: async (command, { kind }) =>
      (await isTolerated(needs, job, { command, kind })) ? 'tolerate' : 'stop',
  })
  if (judged === undefined) return false
  const { command, next } = judged
  const checks = [...candidate.checks, resultOf(candidate, state, judged)]
  switch (next.type) {
    case 'run':
      return runCheck(needs, candidate, checks, command, next)
    case 'stop':
      return endChecks(needs, candidate, state, checks, {
        type: 'check-fail',
        reason: `check "${command}" ${next.problem.text}`,
      })
    case 'end':
      return endChecks(needs, candidate, state, checks, { type: 'checks-pass' })
    default:
      return assertNever(next)
  }
}

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
  { tree }: Candidate,
  state: Checking,
  { command, problem, rule }: JudgedCheck,
): CheckResult {
  const passed = problem === undefined
  const result = { command, passed, ...checkOutcome(state, problem), tree }
  return !passed && rule === 'tolerate' ? { ...result, failedOnBase: true } : result
}

async function runCheck(
  needs: LandingNeeds,
  candidate: Candidate,
  checks: Candidate['checks'],
  ended: string,
  { command, check, event }: NextCheck,
): Promise<boolean> {
  const isAgain = event.type === 'check-again'
  const data = isAgain ? { check: ended, again: event.why } : { check: command }
  return withCandidate(needs, candidate, async (records) => {
    await storeCandidate(needs, records, candidate.id, { event, checks: isAgain ? [] : checks })
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
