import type { AttemptId, BaselineId, CandidateId, SessionId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The working tree's directory for an attempt, a personal session, a candidate or a baseline. */
export function treeOf(
  needs: Pick<EngineNeeds, 'settings'>,
  owner: AttemptId | SessionId | CandidateId | BaselineId,
): string {
  return `${needs.settings.treesDirectory}/${owner}`
}
