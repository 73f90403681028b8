import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../../sessions/host-of.ts'
import { treeOf } from '../../trees/tree-of.ts'

type Needs = Pick<EngineNeeds, 'trees' | 'host' | 'settings'>

/** Removes what a check left. Its output is in the event log, and its commit in the hub. */
export async function clearCheck(needs: Needs, candidate: Candidate): Promise<void> {
  if (candidate.state.type === 'checking') {
    await needs.host.remove(hostOf({ id: candidate.state.sessionId, life: 1 }))
  }
  await needs.trees.remove(treeOf(needs, candidate.id))
}
