import type { Candidate } from './candidate.ts'
import type { Landing } from './landing.ts'

/** What a landing waits for once nothing is left to check. `turn`: what its candidate builds on must land first. */
export type LandingWait = 'person' | 'turn'

/** Undefined if the landing is queued, being checked or finished. `candidate` is the newest one it is part of. */
export function landingWait(
  { state }: Pick<Landing, 'state'>,
  candidate: Pick<Candidate, 'state'> | undefined,
): LandingWait | undefined {
  if (state.type !== 'checking' || candidate === undefined) return undefined
  if (candidate.state.type === 'asking') return 'person'
  return candidate.state.type === 'passed' || candidate.state.type === 'allowed' ? 'turn' : undefined
}

/** The state of a landing that has not ended, in words. */
export function landingStateWords(status: Landing['state']['type'], waitsFor?: LandingWait): string {
  if (waitsFor === 'person') return 'waiting for approval'
  return waitsFor === 'turn' ? 'passed its checks, waiting for its turn' : status
}
