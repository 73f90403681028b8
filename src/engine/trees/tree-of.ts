import type { AttemptId, CandidateId, SessionId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The directory of the working tree that belongs to an attempt, to a personal session, or to a candidate. */
export function treeOf(
  needs: Pick<EngineNeeds, 'settings'>,
  owner: AttemptId | SessionId | CandidateId,
): string {
  return `${needs.settings.treesDirectory}/${owner}`
}
