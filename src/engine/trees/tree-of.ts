import type { AttemptId, BaselineId, CandidateId, SessionId, VisitId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The working tree's directory for an attempt, a personal session, a candidate, a baseline or a visit's checks. */
export function treeOf(
  needs: Pick<EngineNeeds, 'settings'>,
  owner: AttemptId | SessionId | CandidateId | BaselineId | VisitId,
): string {
  return `${needs.settings.treesDirectory}/${owner}`
}
