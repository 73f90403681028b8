import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { type CheckedCommit, planCheckedCommit } from './checked-commit.ts'
import type { SessionPlan, StoreReader } from './session-plan.ts'
import type { Workplace } from './workplace.ts'

/** A session that runs one check on the exact commit that would land. */
export function planCheck(session: Session, purpose: PurposeOf<'check'>): SessionPlan {
  const { candidateId: id } = purpose
  const { jobId } = session
  return planCheckedCommit(session, purpose, {
    id,
    noun: 'candidate',
    async findAwaited({ store }) {
      const candidate = await store.read.candidates.find(id)
      return candidate?.state.type === 'checking' ? candidate.state.sessionId : undefined
    },
    async findCommit(reader) {
      const candidate = await reader.store.read.candidates.find(id)
      return candidate === undefined ? undefined : commitOf(reader, candidate)
    },
    judge: jobId === undefined ? [] : [{ type: 'landing-advance', jobId }],
  })
}

async function commitOf(reader: StoreReader, candidate: Candidate): Promise<CheckedCommit | undefined> {
  const job = await reader.store.read.jobs.find(candidate.jobId)
  if (job === undefined) return undefined
  const { setup = [], copy = [], sandbox = USUAL_SANDBOX } = job.plan
  const { projectId, repositoryPath } = job
  const place = await findPlace(reader, candidate)
  return { projectId, repositoryPath, commit: candidate.commit, setup, copy, sandbox, place }
}

/** A check's output belongs to the task being checked. If it checks several tasks, it belongs to none of them. */
async function findPlace({ store }: StoreReader, candidate: Candidate): Promise<Workplace['place']> {
  const [only, ...others] = landingIdsOf(candidate)
  const landing = only === undefined || others.length > 0 ? undefined : await store.read.landings.find(only)
  return landing === undefined ? {} : { taskId: landing.taskId }
}
