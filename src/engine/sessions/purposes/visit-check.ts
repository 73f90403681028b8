import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { stageEnvironment } from '../session-environment.ts'
import { type CheckedCommit, planCheckedCommit } from './checked-commit.ts'
import type { SessionPlan, StoreReader } from './session-plan.ts'

/** A session that runs one check on the work of a run, as candidates are checked. */
export function planVisitCheck(session: Session, purpose: PurposeOf<'visit-check'>): SessionPlan {
  const { visitId: id } = purpose
  return planCheckedCommit(session, purpose, {
    id,
    noun: 'visit',
    async findAwaited({ store }) {
      const visit = await store.read.visits.find(id)
      return visit?.state.type === 'checking' ? visit.state.sessionId : undefined
    },
    findCommit: (reader) => findCommit(reader, purpose),
    judge: [{ type: 'visit-advance', visitId: id }],
  })
}

async function findCommit(
  { store }: StoreReader,
  { visitId }: PurposeOf<'visit-check'>,
): Promise<CheckedCommit | undefined> {
  const visit = await store.read.visits.find(visitId)
  const run = visit === undefined ? undefined : await store.read.runs.find(visit.runId)
  const job = run === undefined ? undefined : await store.read.jobs.find(run.jobId)
  if (visit?.commit === undefined || run === undefined || job === undefined) return undefined
  const { setup = [], copy = [], sandbox = USUAL_SANDBOX } = job.plan
  const { projectId, repositoryPath } = job
  return {
    projectId,
    repositoryPath,
    commit: visit.commit,
    setup,
    copy,
    sandbox,
    place: { taskId: run.taskId },
    environment: stageEnvironment(visit),
  }
}
