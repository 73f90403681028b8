import type { BaselineId, CandidateId, ProjectId, SessionId, VisitId } from '../../../domain/id.ts'
import type { SandboxChoice } from '../../../domain/session/sandbox-policy.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { treeOf } from '../../trees/tree-of.ts'
import type { PlanNeeds, SessionPlan, StoreReader } from './session-plan.ts'
import type { Workplace } from './workplace.ts'

/** The commit that a check runs on, and how its tree is prepared. */
export type CheckedCommit = Pick<Workplace, 'place'> & {
  readonly projectId: ProjectId
  readonly repositoryPath: string
  readonly commit: string
  readonly setup: readonly string[]
  readonly copy: readonly string[]
  readonly sandbox: SandboxChoice
  /** Variables for this commit, besides those of every check. */
  readonly environment?: Readonly<Record<string, string>>
}

/** What the check is run for: a candidate, a baseline or a visit. */
export type CheckOwner = {
  readonly id: CandidateId | BaselineId | VisitId
  readonly noun: 'candidate' | 'baseline' | 'visit'
  /** The session whose result it waits for. */
  findAwaited(reader: StoreReader): Promise<SessionId | undefined>
  findCommit(needs: PlanNeeds): Promise<CheckedCommit | undefined>
  /** The work that judges the result. */
  readonly judge: readonly Work[]
}

/** A session that runs one check in a throwaway tree of exactly one commit. */
export function planCheckedCommit(
  session: Session,
  run: Pick<PurposeOf<'check' | 'baseline' | 'visit-check'>, 'command' | 'isFresh'>,
  owner: CheckOwner,
): SessionPlan {
  const { id: sessionId } = session
  const isAwaited = async (reader: StoreReader) => (await owner.findAwaited(reader)) === sessionId
  return {
    async findWorkplace(needs) {
      const checked = await owner.findCommit(needs)
      return checked === undefined ? undefined : workplaceOf(needs, session, run, owner, checked)
    },
    findBase: () => Promise.resolve(undefined),
    firstPrompt: () => Promise.resolve(''),
    async readiness(needs) {
      const reason = `its ${owner.noun} has moved on`
      return (await isAwaited(needs)) ? { type: 'ready' } : { type: 'never', reason }
    },
    whenStarted: () => Promise.resolve(),
    whenEnded: () => Promise.resolve([...owner.judge, { type: 'session-clear', sessionId }]),
    // The output has yet to be judged, and judging sends the clearing again.
    isNeeded: isAwaited,
    async clear(needs) {
      // The next check works in the same tree.
      if ((await owner.findAwaited(needs)) !== undefined) return
      await needs.trees.remove(treeOf(needs, owner.id))
    },
    clearWork: { type: 'session-clear', sessionId },
  }
}

function workplaceOf(
  needs: PlanNeeds,
  session: Session,
  { command, isFresh }: Pick<PurposeOf<'check' | 'baseline' | 'visit-check'>, 'command' | 'isFresh'>,
  owner: CheckOwner,
  checked: CheckedCommit,
): Workplace {
  const { settings } = needs
  const { projectId, commit, sandbox, place } = checked
  const setup = isFresh && session.processNumber === 1 ? checked.setup : []
  return {
    program: { type: 'command', command },
    projectId,
    tree: {
      project: projectId,
      directory: treeOf(needs, owner.id),
      commit,
      branch: 'muster-check',
      ...copiesInto(checked.repositoryPath, checked.copy),
    },
    isFresh,
    setup,
    sandbox,
    timeMs: settings.checkMinutes * 60_000 + setup.length * settings.setupMs,
    environment: () => ({
      ...settings.passedEnvironment,
      CI: 'true',
      MUSTER_CHECK: commit,
      ...checked.environment,
    }),
    place,
  }
}
