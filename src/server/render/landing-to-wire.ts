import type { WireLanding } from '../../contract/landing.ts'
import { type Candidate, landingIdsOf } from '../../domain/landing/candidate.ts'
import type { Landing, LandingState } from '../../domain/landing/landing.ts'
import { landingWait } from '../../domain/landing/landing-wait.ts'
import type { LandingView } from '../../engine/queries/landings.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function landingToWire({ landing, candidate }: LandingView): WireLanding {
  const { state, checks, createdAt, endedAt, ...rest } = landing
  return {
    ...rest,
    checks: checks.map((check) => ({ ...check })),
    status: state.type,
    ...(candidate === undefined ? {} : candidateFields(landing, candidate)),
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

function candidateFields(landing: Landing, candidate: Candidate): Partial<WireLanding> {
  const { id, state } = candidate
  const waitsFor = landingWait(landing, candidate)
  return {
    candidateId: id,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    mates: landingIdsOf(candidate).filter((mate) => mate !== landing.id),
    ...(state.type === 'asking' ? { approvalId: state.approvalId } : {}),
  }
}
