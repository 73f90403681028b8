import type { WireLanding } from '../../contract/landing.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { LandingState } from '../../domain/landing/landing-state.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function landingToWire(landing: Landing): WireLanding {
  const { state, checks, createdAt, endedAt, ...rest } = landing
  return {
    ...rest,
    checks: checks.map((check) => ({ ...check })),
    status: state.type,
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
