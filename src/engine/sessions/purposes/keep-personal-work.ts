import { workDelivered } from '../../../domain/event/session-events.ts'
import { GIVE_UP_AFTER_MS } from '../../../domain/limits/retry-limits.ts'
import type { DeliveryFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf, Undelivered } from '../../../domain/session/session-purpose.ts'
import type { Collected } from '../../../ports/working-trees.ts'
import { describeFailure } from '../../describe-failure.ts'
import { treeOf } from '../../trees/tree-of.ts'
import { isAnyAsked } from './is-asked.ts'
import type { ClearNeeds } from './session-plan.ts'

type Personal = PurposeOf<'personal'>

/**
 * Pins the work of a personal session, delivers it to its branch in the person's repository, then removes the tree.
 * Refused work is only pinned: the person decides whether to have it.
 */
export async function keepPersonalWork(
  needs: ClearNeeds,
  session: Session,
  purpose: Personal,
): Promise<void> {
  const { id } = session
  const directory = treeOf(needs, id)
  if (!(await needs.disk.exists(directory))) return
  const collected = await needs.trees.collect({
    project: purpose.projectId,
    attemptId: id,
    directory,
    base: purpose.baseCommit,
    message: `Uncommitted work of ${session.agentName}`,
    exclude: purpose.copy ?? [],
  })
  // The tree is the only copy of the work, so it stays, and the reconciler keeps trying.
  if (!collected.ok) throw new Error(`could not pin session ${id}: ${describeFailure(collected.failure)}`)
  const undelivered = await deliver(needs, session, purpose, collected.value)
  await storeDelivery(needs, session, collected.value.tip, undelivered)
  // While the tree is there, the reconciler clears up after the session, so it delivers again.
  if (undelivered?.type === 'failed' && !isGivenUp(needs, session)) return
  await needs.trees.remove(directory, async () => !(await isAnyAsked(needs, [session])))
}

/** Returns why the work is not on its branch in the person's repository, or undefined if it is or there is none. */
async function deliver(
  needs: ClearNeeds,
  session: Session,
  purpose: Personal,
  work: Collected,
): Promise<Undelivered | undefined> {
  if (work.tip === purpose.baseCommit) return undefined
  if (work.type === 'refused') return { type: 'refused', reason: work.reason }
  const delivered = await deliverBranch(needs, purpose, work.tip)
  if (delivered.ok) return undefined
  const { failure: failed } = delivered
  needs.log.warn({ sessionId: session.id, failure: failed.type }, 'could not deliver the branch')
  return {
    type: 'failed',
    reason: `branch ${purpose.branch} could not be delivered to your repository: ${describeFailure(failed)}`,
  }
}

/** The branch goes to the repository where the person opened the session. */
async function deliverBranch(
  { branches }: ClearNeeds,
  { projectId, branch, repositoryPath }: Personal,
  tip: string,
): Promise<Result<void, DeliveryFailure>> {
  const before = await branches.tip(projectId, branch)
  const moved = before === tip ? success(undefined) : await branches.move(projectId, branch, tip, before)
  if (moved.ok) return await branches.deliver(projectId, repositoryPath, branch)
  if (moved.failure.type !== 'branch-moved') return failure(moved.failure)
  return failure({ type: 'delivery-failed', branch, problem: 'something else moved it at the same time' })
}

async function storeDelivery(
  needs: ClearNeeds,
  { id }: Session,
  tip: string,
  undelivered: Undelivered | undefined,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(id)
    if (session?.purpose.type !== 'personal') return
    const { undelivered: before, ...purpose } = session.purpose
    if (purpose.tip === tip && before?.reason === undelivered?.reason) return
    const now = { ...purpose, tip, ...(undelivered === undefined ? {} : { undelivered }) }
    await records.sessions.save(
      { ...session, purpose: now },
      {
        audit: {
          actor: 'engine',
          action: 'session-pin',
          subject: id,
          detail: { tip, delivered: undelivered === undefined },
        },
        events: tip === purpose.baseCommit ? [] : [workDelivered(session, now)],
      },
    )
  })
}

/** A delivery that has failed for long needs the person. The work is pinned, so the tree can go. */
function isGivenUp({ clock }: ClearNeeds, { endedAt, createdAt }: Session): boolean {
  return clock.now().getTime() - (endedAt ?? createdAt).getTime() >= GIVE_UP_AFTER_MS
}
