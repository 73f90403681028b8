import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { describeFailure } from '../../describe-failure.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { environmentOf } from '../session-environment.ts'
import { isAnyAsked } from './is-asked.ts'
import type { ClearNeeds, SessionPlan } from './session-plan.ts'

type Personal = PurposeOf<'personal'>

/** A session that a person opened: one agent in its own working tree, on its own branch. */
export function planPersonal(session: Session, purpose: Personal): SessionPlan {
  const { projectId, baseCommit, agent, branch, sandbox } = purpose
  const sessionId = session.id
  return {
    findWorkplace: (needs) =>
      Promise.resolve({
        program: { type: 'agent', agent },
        projectId,
        tree: {
          project: projectId,
          directory: treeOf(needs, sessionId),
          // A question to an ended session is asked in a tree at the commit it left.
          commit: purpose.tip ?? baseCommit,
          branch,
          ...copiesInto(purpose.repositoryPath, purpose.copy),
        },
        setup: session.processNumber === 1 ? (purpose.setup ?? []) : [],
        sandbox,
        environment: (directory) => environmentOf(needs, session, directory),
        place: {},
      }),
    findBase: () => Promise.resolve({ projectId, commit: baseCommit }),
    firstPrompt: () => Promise.resolve(purpose.prompt),
    readiness: () => Promise.resolve({ type: 'ready' }),
    whenStarted: () => Promise.resolve(),
    whenEnded: () => Promise.resolve([{ type: 'session-clear', sessionId }]),
    // A question uses this tree. When the question is cleaned up, this session is too.
    isNeeded: (needs) => isAnyAsked(needs, [session]),
    clear: (needs) => keepWork(needs, session, purpose),
    clearWork: { type: 'session-clear', sessionId },
  }
}

/** Pins its work, delivers it to its branch in the person's repository, then removes the tree. */
async function keepWork(needs: ClearNeeds, session: Session, purpose: Personal): Promise<void> {
  const { id } = session
  const directory = treeOf(needs, id)
  if (!(await needs.disk.exists(directory))) return
  const { projectId: project, baseCommit } = purpose
  const pinned = await needs.trees.collect({
    project,
    attemptId: id,
    directory,
    base: baseCommit,
    message: `Uncommitted work of ${session.agentName}`,
    exclude: purpose.copy ?? [],
  })
  // The tree is the only copy of the work, so it stays, and the reconciler keeps trying.
  if (!pinned.ok) throw new Error(`could not pin session ${id}: ${describeFailure(pinned.failure)}`)
  const { tip } = pinned.value
  if (tip !== baseCommit) await deliver(needs, session, purpose, tip)
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(id)
    if (current === undefined || purpose.tip === tip) return
    await records.sessions.save(
      { ...current, purpose: { ...purpose, tip } },
      { audit: { actor: 'engine', action: 'session-pin', subject: id, detail: { tip } } },
    )
  })
  await needs.trees.remove(directory, async () => !(await isAnyAsked(needs, [session])))
}

/** The branch goes to the repository where the person opened the session. */
async function deliver(needs: ClearNeeds, { id }: Session, purpose: Personal, tip: string): Promise<void> {
  const { projectId, branch, repositoryPath } = purpose
  const before = await needs.branches.tip(projectId, branch)
  if (before !== tip) await needs.branches.move(projectId, branch, tip, before)
  const delivered = await needs.branches.deliver(projectId, repositoryPath, branch)
  if (!delivered.ok)
    needs.log.warn({ sessionId: id, failure: delivered.failure.type }, 'could not deliver the branch')
}
