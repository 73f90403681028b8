import type { Approval } from '../../domain/approval/approval.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Records } from '../../ports/store/store.ts'
import { actionDigest } from '../approvals/action-digest.ts'
import { describeFailure } from '../describe-failure.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { storeCandidate, withCandidate } from './store-candidate.ts'

/** A person may be away for days; their work waits for them. */
const EXPIRES_AFTER_MS = 7 * 24 * 3_600_000
/** What the question itself shows; `muster diff` shows all of it. */
const MAX_PATCH_BYTES = 20_000

/** Stops before the landing, with its diff, until a person has decided on exactly this commit on this head. */
export async function askPerson(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const diff = await needs.history.diff(job.projectId, candidate.onto, candidate.commit, MAX_PATCH_BYTES)
  const shown = diff.ok
    ? diff.value
    : { files: [], patch: '', isCut: true, problem: describeFailure(diff.failure) }
  return withCandidate(needs, candidate, async (records, locked) => {
    if (isJobOver(locked.state)) return false
    const landings = await landingsOf(records, candidate)
    const title =
      candidate.base === undefined ? await titleOf(records, landings) : `${job.baseBranch} as it has become`
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
        {
          type: 'approval_requested',
          jobId: job.id,
          ...(landings[0] === undefined ? {} : { taskId: landings[0].taskId }),
          data: {
            approvalId: approval.id,
            agent: 'the merge queue',
            action: { tool: 'land', reason: title, directory: job.repositoryPath, input: exactly(candidate) },
            digest: approval.digest,
            expiresAt: approval.expiresAt.toISOString(),
          },
        },
      ],
    })
    const event = { type: 'approval-ask', approvalId: approval.id } as const
    // A job that pauses does not wait for a person: it looks again.
    const follow = [{ type: 'job-advance', jobId: job.id } as const]
    const isStored = await storeCandidate(needs, records, candidate.id, { event, follow })
    needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId: approval.id })
    needs.crash.reach('landing.before-question')
    return isStored
  })
}

/** Whether this candidate may land: nobody has to be asked, or somebody allowed exactly it. */
export async function isAllowed(records: Records, job: Job, candidate: Candidate): Promise<boolean> {
  if (job.plan.mode !== 'approve') return true
  if (candidate.state.type !== 'allowed') return false
  const approval = await records.approvals.find(candidate.state.approvalId)
  return approval?.state.type === 'allowed' && approval.digest === digestOf(candidate)
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
    expiresAt: new Date(now.getTime() + EXPIRES_AFTER_MS),
  }
}

function digestOf(candidate: Candidate): string {
  return actionDigest({ tool: 'land', candidateId: candidate.id, ...exactly(candidate) })
}

/** All that a decision is about: another head, commit or tree is another question. */
function exactly({ branch, onto, commit, tree, landingIds }: Candidate) {
  return { branch, onto, commit, tree, landingIds }
}

async function landingsOf(records: Records, candidate: Candidate): Promise<readonly Landing[]> {
  const found = await Promise.all(candidate.landingIds.map((id) => records.landings.find(id)))
  return found.filter((landing) => landing !== undefined)
}

async function titleOf(records: Records, landings: readonly Landing[]): Promise<string> {
  const tasks = await Promise.all(landings.map(({ taskId }) => records.tasks.find(taskId)))
  const titles = tasks.flatMap((task) =>
    task === undefined ? [] : [`${task.cycleNumber}.${task.number} ${task.description.split('\n', 1)[0]}`],
  )
  return titles.join('; ')
}
