import type { SessionId } from '../../domain/id.ts'
import { isCandidateOver } from '../../domain/landing/candidate-state.ts'
import { describeSessionEnd } from '../../domain/session/describe-session-end.ts'
import type { Session } from '../../domain/session/session.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { treeOfCandidate } from '../landing/check/clear-check.ts'
import { isAnyAsked } from './is-asked.ts'
import { removeHosts } from './remove-hosts.ts'
import { treeOfSession } from './workplace.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'branches'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'settings'
  | 'log'
  | 'sendWork'
  | 'answerLetter'
>

/**
 * Clears away after a session that belonged to no attempt. What a person's session left is pinned and brought
 * to its branch in their repository first; a question's tree belongs to whom it was asked.
 */
export async function clearSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.state.type !== 'terminated') return
  if (session.purpose.type === 'standing') {
    // Somebody asks it something, in its tree: whoever clears that away comes back to this.
    if (await isAnyAsked(needs, [session])) return
    await keepWork(needs, session)
  }
  if (session.purpose.type === 'query') {
    if (session.purpose.replyTo !== undefined) {
      await needs.answerLetter(session.purpose.replyTo, answerOf(session))
    }
    await clearAsked(needs, session.purpose.of)
  }
  if (session.purpose.type === 'check' && (await isAwaited(needs, session))) return
  await removeHosts(needs, session)
}

/** The merge queue still has to look at how it ended, and clears away after that itself. */
async function isAwaited(needs: Needs, { id, purpose }: Session): Promise<boolean> {
  if (purpose.type !== 'check') return false
  const candidate = await needs.store.read.candidates.find(purpose.candidateId)
  if (candidate === undefined) return false
  if (isCandidateOver(candidate.state)) await needs.trees.remove(treeOfCandidate(needs, candidate))
  return candidate.state.type === 'checking' && candidate.state.sessionId === id
}

function answerOf({ talk, state }: Session): string {
  if (talk.turn?.type === 'done') return talk.turn.text
  const why = state.type === 'terminated' ? describeSessionEnd(state.end) : 'gave no answer'
  return `There is no answer: the session that was asked ${why}.`
}

async function keepWork(needs: Needs, session: Session): Promise<void> {
  const { purpose, id } = session
  const directory = treeOfSession(needs, id)
  if (purpose.type !== 'standing' || !(await needs.disk.exists(directory))) return
  const { projectId: project, baseCommit } = purpose
  const pinned = await needs.trees.collect({
    project,
    attemptId: id,
    directory,
    base: baseCommit,
    message: `Work of ${session.agentName} that it had not committed`,
    exclude: purpose.copy ?? [],
  })
  // The tree is then the only copy: it stays, and every look of the reconciler tries again.
  if (!pinned.ok) throw new Error(`session ${id} not pinned: ${describeFailure(pinned.failure)}`)
  const { tip } = pinned.value
  if (tip !== baseCommit) await deliver(needs, session.id, purpose, tip)
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(id)
    if (current?.purpose.type !== 'standing' || current.purpose.tip === tip) return
    await records.sessions.save(
      { ...current, purpose: { ...current.purpose, tip } },
      { audit: { actor: 'engine', action: 'session-pin', subject: id, detail: { tip } } },
    )
  })
  await needs.trees.remove(directory, async () => !(await isAnyAsked(needs, [session])))
}

type Standing = Extract<Session['purpose'], { type: 'standing' }>

/** Its branch appears in the person's repository: they opened the session there. */
async function deliver(needs: Needs, sessionId: SessionId, purpose: Standing, tip: string): Promise<void> {
  const { projectId, branch, repositoryPath } = purpose
  const before = await needs.branches.tip(projectId, branch)
  if (before !== tip) await needs.branches.move(projectId, branch, tip, before)
  const delivered = await needs.branches.deliver(projectId, repositoryPath, branch)
  if (!delivered.ok) needs.log.warn({ sessionId, failure: delivered.failure.type }, 'branch not delivered')
}

async function clearAsked(needs: Needs, of: SessionId): Promise<void> {
  const asked = await needs.store.read.sessions.find(of)
  if (asked?.purpose.type === 'standing') await needs.sendWork({ type: 'session-clear', sessionId: of })
  if (asked?.purpose.type === 'attempt') {
    await needs.sendWork({ type: 'attempt-clear', attemptId: asked.purpose.attemptId })
  }
}
