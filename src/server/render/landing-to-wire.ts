import type { WireLanding } from '../../contract/landing.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { LandingState } from '../../domain/landing/landing-state.ts'
import { instantsToWire } from './instants-to-wire.ts'

/** A landing with the candidate it was last part of, of these of its job. */
export function landingToWire(landing: Landing, candidates: readonly Candidate[]): WireLanding {
  const { state, checks, createdAt, endedAt, ...rest } = landing
  return {
    ...rest,
    checks: checks.map((check) => ({ ...check })),
    status: state.type,
    ...candidateFields(landing, candidates),
    ...stateFields(state),
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ endedAt }),
  }
}

function stateFields(state: LandingState): Partial<WireLanding> {
  if (state.type === 'conflicted') return { conflictPaths: [...state.paths] }
  const { type: _, ...fields } = state
  return fields
}

function candidateFields(landing: Landing, candidates: readonly Candidate[]): Partial<WireLanding> {
  const candidate = candidates.findLast(({ landingIds }) => landingIds.includes(landing.id))
  if (candidate === undefined) return {}
  const { state } = candidate
  return {
    candidateId: candidate.id,
    mates: candidate.landingIds.filter((id) => id !== landing.id),
    ...(state.type === 'asking' ? { approvalId: state.approvalId } : {}),
  }
}
