import { type Candidate, landingIdsOf } from '../../../domain/landing/candidate.ts'
import { isCandidateOver } from '../../../domain/landing/candidate-state.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { treeOf } from '../../trees/tree-of.ts'
import type { PlanNeeds, SessionPlan } from './session-plan.ts'
import type { Workplace } from './workplace.ts'

type Check = PurposeOf<'check'>

/** A session that runs one check on the exact commit that would land, in a throw-away tree. */
export function planCheck(session: Session, purpose: Check): SessionPlan {
  const { id: sessionId, jobId } = session
  const isAwaitedBy = (candidate: Candidate | undefined) =>
    candidate?.state.type === 'checking' && candidate.state.sessionId === sessionId
  return {
    findWorkplace: (needs) => findWorkplace(needs, session, purpose),
    findBase: () => Promise.resolve(undefined),
    firstPrompt: () => Promise.resolve(''),
    async readiness({ store }) {
      const isAwaited = isAwaitedBy(await store.read.candidates.find(purpose.candidateId))
      return isAwaited ? { type: 'ready' } : { type: 'never', reason: 'its candidate has moved on' }
    },
    whenStarted: () => Promise.resolve(),
    whenEnded: () =>
      Promise.resolve([
        ...(jobId === undefined ? [] : [{ type: 'landing-advance', jobId } as const]),
        { type: 'session-clear', sessionId },
      ]),
    // The merge queue still has to judge its output, and clears it itself after that.
    isNeeded: async ({ store }) => isAwaitedBy(await store.read.candidates.find(purpose.candidateId)),
    async clear(needs) {
      const candidate = await needs.store.read.candidates.find(purpose.candidateId)
      if (candidate === undefined || !isCandidateOver(candidate.state)) return
      await needs.trees.remove(treeOf(needs, candidate.id))
    },
    clearWork: { type: 'session-clear', sessionId },
  }
}

async function findWorkplace(
  needs: PlanNeeds,
  session: Session,
  { candidateId, command, isFresh }: Check,
): Promise<Workplace | undefined> {
  const candidate = await needs.store.read.candidates.find(candidateId)
  const job = candidate === undefined ? undefined : await needs.store.read.jobs.find(candidate.jobId)
  if (candidate === undefined || job === undefined) return undefined
  const setup = isFresh && session.life === 1 ? (job.plan.setup ?? []) : []
  const { settings } = needs
  return {
    program: { type: 'command', command },
    projectId: job.projectId,
    tree: {
      project: job.projectId,
      directory: treeOf(needs, candidate.id),
      commit: candidate.commit,
      branch: 'muster-check',
      ...copiesInto(job.repositoryPath, job.plan.copy),
    },
    isFresh,
    setup,
    sandbox: job.plan.sandbox ?? USUAL_SANDBOX,
    timeMs: settings.checkMinutes * 60_000 + setup.length * settings.setupMs,
    environment: () => ({ ...settings.passedEnvironment, CI: 'true', MUSTER_CHECK: candidate.commit }),
    place: await findPlace(needs, candidate),
  }
}

/** What a check prints belongs to the task it checks; where several are checked together, to none of them. */
async function findPlace({ store }: PlanNeeds, candidate: Candidate): Promise<Workplace['place']> {
  const [only, ...others] = landingIdsOf(candidate)
  const landing = only === undefined || others.length > 0 ? undefined : await store.read.landings.find(only)
  return landing === undefined ? {} : { taskId: landing.taskId }
}
