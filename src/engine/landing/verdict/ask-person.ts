import type { Approval, ApprovalState } from '../../../domain/approval/approval.ts'
import {
  type LandingAction,
  type LandingTask,
  landingTask,
} from '../../../domain/approval/approval-action.ts'
import { approvalRequested } from '../../../domain/event/approval-events.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { type Candidate, landingIdsOf, unusualIn } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { CandidateEvent } from '../../../domain/landing/next-candidate-state.ts'
import { APPROVAL_LIMITS } from '../../../domain/limits/approval-limits.ts'
import type { Records } from '../../../ports/store/store.ts'
import { canonicalDigest } from '../../canonical-digest.ts'
import { describeFailure } from '../../describe-failure.ts'
import { storeCandidate, whenPausing, withCandidate } from '../candidate/store-candidate.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/**
 * Asks a person to approve exactly this commit on this head, and shows its diff. The candidate waits for the answer.
 */
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
    if (isJobFinished(locked.state)) return false
    const landings = await landingsOf(records, candidate)
    const action: LandingAction = {
      type: 'landing',
      tasks: await tasksOf(records, landings),
      ...(candidate.purpose.type === 'base' ? { base: job.baseBranch } : {}),
      ...exactly(candidate),
      directory: job.repositoryPath,
    }
    const approval = approvalOf(needs, candidate, { ...action, diff: shown })
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
          action,
        }),
      ],
    })
    const event = { type: 'approval-ask', approvalId: approval.id } as const
    // A job that is pausing does not wait for a person.
    const follow = whenPausing(locked)
    const asked = await storeCandidate(needs, records, candidate.id, { event, follow })
    needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId: approval.id })
    needs.crash.reach('landing.before-question')
    return asked !== undefined
  })
}

/** Whether this candidate may land: no approval is needed, or a person allowed exactly this commit. */
export async function isAllowed(records: Records, job: Job, candidate: Candidate): Promise<boolean> {
  if (job.plan.mode !== 'approve' && unusualIn(candidate).length === 0) return true
  if (candidate.state.type !== 'allowed') return false
  const approval = await records.approvals.find(candidate.state.approvalId)
  return approval?.state.type === 'allowed' && approval.digest === digestOf(candidate)
}

/** Applies a person's decision about a candidate. Returns false while there is none. */
export async function judgeApproval(
  needs: LandingNeeds,
  candidate: Candidate,
  { approvalId }: Extract<CandidateState, { type: 'asking' }>,
): Promise<boolean> {
  const event = eventOf(await needs.store.read.approvals.find(approvalId))
  if (event === undefined) return false
  return withCandidate(
    needs,
    candidate,
    async (records) => (await storeCandidate(needs, records, candidate.id, { event })) !== undefined,
  )
}

function eventOf(approval: Approval | undefined): CandidateEvent | undefined {
  switch (approval?.state.type) {
    case 'pending':
      return undefined
    case 'allowed':
      return { type: 'approval-allow' }
    case 'denied':
      return { type: 'approval-deny', reason: denialWords(approval.state), isByPerson: true }
    case 'expired':
      return { type: 'approval-deny', reason: 'no one approved it in time' }
    default:
      return { type: 'approval-deny', reason: 'the approval request was withdrawn' }
  }
}

function denialWords({ by, reason }: Extract<ApprovalState, { type: 'denied' }>): string {
  return reason === undefined ? `denied by ${by}` : `denied by ${by}: ${reason}`
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
  return canonicalDigest({ tool: 'land', candidateId: candidate.id, ...exactly(candidate) })
}

/** Everything a decision covers. Another head, commit or tree needs another decision. */
function exactly(candidate: Candidate) {
  const { branch, onto, commit, tree } = candidate
  const unusual = unusualIn(candidate)
  const landingIds = landingIdsOf(candidate)
  return { branch, onto, commit, tree, landingIds, ...(unusual.length === 0 ? {} : { unusual }) }
}

async function landingsOf(records: Records, candidate: Candidate): Promise<readonly Landing[]> {
  const found = await Promise.all(landingIdsOf(candidate).map((id) => records.landings.find(id)))
  return found.filter((landing) => landing !== undefined)
}

async function tasksOf(records: Records, landings: readonly Landing[]): Promise<readonly LandingTask[]> {
  const tasks = await Promise.all(landings.map(({ taskId }) => records.tasks.find(taskId)))
  return tasks.filter((task) => task !== undefined).map(landingTask)
}
