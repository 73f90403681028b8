import type { JobId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Reads } from './find-record.ts'

/**
 * Whether events of a job can still follow by themselves: a program of one of its sessions runs or is about to, or its
 * merge queue has yet to find out whether a commit landed. A person can start more at any time, such as a merge.
 */
export async function hasLiveWork(needs: Reads, jobId: JobId): Promise<boolean> {
  const { sessions, candidates } = needs.store.read
  const [live, open] = await Promise.all([sessions.listLive(jobId), candidates.listOpen(jobId)])
  return live.some(isActive) || open.some(({ purpose }) => purpose.type !== 'merge')
}

/** A suspended session may stay that way for days. */
function isActive({ state }: Session): boolean {
  return !(state.type === 'suspended' && state.hasExited && state.resume === undefined)
}
