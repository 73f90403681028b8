import type { Approval } from '../../../domain/approval/approval.ts'
import { approvalRequested } from '../../../domain/event/approval-events.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobOver } from '../../../domain/job/job-state.ts'
import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { CandidateEvent } from '../../../domain/landing/next-candidate-state.ts'
import { APPROVAL_LIMITS } from '../../../domain/limits/approval-limits.ts'
import type { Records } from '../../../ports/store/store.ts'
import { actionDigest } from '../../approvals/action-digest.ts'
import { describeFailure } from '../../describe-failure.ts'
import { storeCandidate, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** Asks a person about exactly this commit on this head, with its diff; the candidate waits for the decision. */
export async function askPerson(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const diff = await needs.history.diff(
    job.projectId,
    candidate.onto,
    candidate.commit,
    APPROVAL_LIMITS.patchBytes,
  )
  const shown = diff.ok
    ? diff.value
    : { files: [], patch: '', isCut: true, problem: describeFailure(diff.failure) }
  return withCandidate(needs, candidate, async (records, locked) => {
    if (isJobOver(locked.state)) return false
    const landings = await landingsOf(records, candidate)
    const title =
      candidate.purpose.type === 'base'
        ? `new commits of ${job.baseBranch}`
        : await titleOf(records, landings)
    const approval = approvalOf(needs, candidate, {
      tool: 'land',
      reason: title,
      directory: job.repositoryPath,
      input: { ...exactly(candidate), ...shown },
    })
    await records.approvals.insert(approval, {
      audit: {
        actor: 'engine',
        action: 'approval-request',
        subject: approval.id,
        detail: { tool: 'land', digest: approval.digest },
      },
      events: [
        approvalRequested(approval, 'the merge queue', {
          ...(landings[0] === undefined ? {} : { taskId: landings[0].taskId }),
          action: { ...approval.action, input: exactly(candidate) },
        }),
      ],
    })
    const event = { type: 'approval-ask', approvalId: approval.id } as const
    // A job that is pausing does not wait for a person.
    const follow = [{ type: 'job-advance', jobId: job.id } as const]
    const isStored = await storeCandidate(needs, records, candidate.id, { event, follow })
    needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId: approval.id })
    needs.crash.reach('landing.before-question')
    return isStored
  })
}

/** Whether this candidate may land: no one has to be asked, or a person allowed exactly this commit. */
export async function isAllowed(records: Records, job: Job, candidate: Candidate): Promise<boolean> {
  if (job.plan.mode !== 'approve') return true
  if (candidate.state.type !== 'allowed') return false
  const approval = await records.approvals.find(candidate.state.approvalId)
  return approval?.state.type === 'allowed' && approval.digest === digestOf(candidate)
}

/** Applies what a person has decided about a candidate. False while they have not. */
export async function judgeApproval(
  needs: LandingNeeds,
  candidate: Candidate,
  { approvalId }: Extract<CandidateState, { type: 'asking' }>,
): Promise<boolean> {
  const event = eventOf(await needs.store.read.approvals.find(approvalId))
  if (event === undefined) return false
  return withCandidate(needs, candidate, (records) => storeCandidate(needs, records, candidate.id, { event }))
}

function eventOf(approval: Approval | undefined): CandidateEvent | undefined {
  switch (approval?.state.type) {
    case 'pending':
      return undefined
    case 'allowed':
      return { type: 'approval-allow' }
    case 'denied':
      return { type: 'approval-deny', reason: `denied by ${approval.state.by}: ${approval.state.reason}` }
    case 'expired':
      return { type: 'approval-deny', reason: 'nobody allowed it in time' }
    default:
      return { type: 'approval-deny', reason: 'the question went away' }
  }
}

function approvalOf(needs: LandingNeeds, candidate: Candidate, action: Approval['action']): Approval {
  const now = needs.clock.now()
  return {
    id: needs.ids.next('approval'),
    jobId: candidate.jobId,
    asker: { type: 'candidate', candidateId: candidate.id },
    digest: digestOf(candidate),
    action,
    state: { type: 'pending' },
    version: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + APPROVAL_LIMITS.landingDays * 24 * 3_600_000),
  }
}

function digestOf(candidate: Candidate): string {
  return actionDigest({ tool: 'land', candidateId: candidate.id, ...exactly(candidate) })
}

/** All that a decision is about: another head, commit or tree is another question. */
function exactly(candidate: Candidate) {
  const { branch, onto, commit, tree } = candidate
  return { branch, onto, commit, tree, landingIds: landingIdsOf(candidate) }
}

async function landingsOf(records: Records, candidate: Candidate): Promise<readonly Landing[]> {
  const found = await Promise.all(landingIdsOf(candidate).map((id) => records.landings.find(id)))
  return found.filter((landing) => landing !== undefined)
}

async function titleOf(records: Records, landings: readonly Landing[]): Promise<string> {
  const tasks = await Promise.all(landings.map(({ taskId }) => records.tasks.find(taskId)))
  const titles = tasks.flatMap((task) =>
    task === undefined ? [] : [`${task.cycleNumber}.${task.number} ${task.description.split('\n', 1)[0]}`],
  )
  return titles.join('; ')
}
