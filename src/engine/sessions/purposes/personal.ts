import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { describeFailure } from '../../describe-failure.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { environmentOf } from '../start/session-environment.ts'
import { isAnyAsked } from './is-asked.ts'
import type { ClearNeeds, SessionPlan } from './session-plan.ts'

type Personal = PurposeOf<'personal'>

/** A session that a person opened: one agent in a working tree of its own, on a branch of its own. */
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
          // A question to one that has ended is asked where it left things.
          commit: purpose.tip ?? baseCommit,
          branch,
          ...copiesInto(purpose.repositoryPath, purpose.copy),
        },
        setup: session.life === 1 ? (purpose.setup ?? []) : [],
        sandbox,
        environment: (directory) => environmentOf(needs, session, directory),
        place: {},
      }),
    findBase: () => Promise.resolve({ projectId, commit: baseCommit }),
    firstPrompt: () => Promise.resolve(purpose.prompt),
    readiness: () => Promise.resolve({ type: 'ready' }),
    whenStarted: () => Promise.resolve(),
    whenEnded: () => Promise.resolve([{ type: 'session-clear', sessionId }]),
    // A question is asked in its tree: clearing up after the question comes back to this.
    isNeeded: (needs) => isAnyAsked(needs, [session]),
    clear: (needs) => keepWork(needs, session, purpose),
    clearWork: { type: 'session-clear', sessionId },
  }
}

/** Pins what it left and brings it to its branch in the person's repository, then removes the tree. */
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
    message: `Work of ${session.agentName} that it had not committed`,
    exclude: purpose.copy ?? [],
  })
  // The tree is then the only copy: it stays, and the reconciler tries again every time.
  if (!pinned.ok) throw new Error(`session ${id} not pinned: ${describeFailure(pinned.failure)}`)
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

/** Its branch appears in the person's repository: they opened the session there. */
async function deliver(needs: ClearNeeds, { id }: Session, purpose: Personal, tip: string): Promise<void> {
  const { projectId, branch, repositoryPath } = purpose
  const before = await needs.branches.tip(projectId, branch)
  if (before !== tip) await needs.branches.move(projectId, branch, tip, before)
  const delivered = await needs.branches.deliver(projectId, repositoryPath, branch)
  if (!delivered.ok)
    needs.log.warn({ sessionId: id, failure: delivered.failure.type }, 'branch not delivered')
}
