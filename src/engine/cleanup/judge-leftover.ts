import {
  type AttemptId,
  type BaselineId,
  type CandidateId,
  parseId,
  type SessionId,
  type VisitId,
} from '../../domain/id.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { processOfHost } from '../sessions/host-of.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import { treeUser } from '../trees/attempt-tree.ts'

type Needs = Pick<EngineNeeds, 'store'>

/** The files of a process that has ended according to the rows. Its program may be running all the same. */
export type LeftFiles = {
  readonly reason: string
  /** Something still reads them: the answer of an attempt that isn't settled is in its output. */
  readonly isNeeded: boolean
}

/** Undefined for the files of a process that is running or about to start. */
export async function judgeFiles(needs: Needs, hostId: HostId): Promise<LeftFiles | undefined> {
  const process = processOfHost(hostId)
  if (process === undefined) return undefined
  const session = await needs.store.read.sessions.find(process.sessionId)
  if (session === undefined) return { reason: 'its session was deleted', isNeeded: false }
  const isNeeded = () => planOf(session).isNeeded(needs)
  if (session.state.type === 'terminated') {
    return { reason: 'its session has ended', isNeeded: await isNeeded() }
  }
  // The host of the next process is made before its row is stored.
  if (process.processNumber >= session.processNumber) return undefined
  return { reason: 'its session has started another program since', isNeeded: await isNeeded() }
}

/** Whether a tree may be removed, and whose it was. */
export type TreeVerdict =
  | { readonly type: 'in-use' }
  /** No record explains it, so it may have the only copy of someone's work. */
  | { readonly type: 'unexplained' }
  | { readonly type: 'attempt-settled'; readonly attemptId: AttemptId; readonly isPinned: boolean }
  | { readonly type: 'session-ended'; readonly sessionId: SessionId }
  /** It was only checked, so it has no work of its own: its commit is in the hub. */
  | { readonly type: 'checked'; readonly owner: CandidateId | BaselineId | VisitId }

export async function judgeTree(needs: Needs, name: string): Promise<TreeVerdict> {
  const { read } = needs.store
  const attemptId = parseId('attempt', name)
  const attempt = attemptId && (await read.attempts.find(attemptId))
  if (attempt !== undefined) {
    const { id, state, tip } = await treeUser(read, attempt)
    if (state.type !== 'settled') return { type: 'in-use' }
    return { type: 'attempt-settled', attemptId: id, isPinned: tip !== undefined }
  }
  const sessionId = parseId('session', name)
  const session = sessionId && (await read.sessions.find(sessionId))
  if (session !== undefined) {
    const isEnded = session.state.type === 'terminated'
    return isEnded ? { type: 'session-ended', sessionId: session.id } : { type: 'in-use' }
  }
  return await judgeCheckedTree(needs, name)
}

async function judgeCheckedTree({ store }: Needs, name: string): Promise<TreeVerdict> {
  const candidateId = parseId('candidate', name)
  const baselineId = parseId('baseline', name)
  const visitId = parseId('visit', name)
  const owner = candidateId ?? baselineId ?? visitId
  if (owner === undefined) return { type: 'unexplained' }
  const row =
    (candidateId && (await store.read.candidates.find(candidateId))) ??
    (baselineId && (await store.read.baselines.find(baselineId))) ??
    (visitId && (await store.read.visits.find(visitId)))
  // The row is stored before the tree is made, so a missing row was deleted.
  return row?.state.type === 'checking' ? { type: 'in-use' } : { type: 'checked', owner }
}

/** The names of all trees. A tree has siblings whose names begin with its name: its index, and half-made files. */
export async function listTrees(needs: Pick<EngineNeeds, 'disk' | 'settings'>): Promise<readonly string[]> {
  const entries = await needs.disk.list(needs.settings.treesDirectory)
  return [...new Set(entries.map((entry) => entry.split('.', 1)[0] ?? ''))]
}
