import type { LandingMode } from './landing-mode.ts'

/*
 * The wording for jobs without checks, used in these places: at the start of a job, with every landing and merge, in
 * its summary, in its report and in the checks of a run. Its candidates pass at once (`insertCandidate`), and its report is never ready.
 */

export const NO_CHECKS = 'no checks are configured'
export const NOTHING_CHECKED = `${NO_CHECKS}: nothing was checked`

const AHEAD = {
  auto: 'everything that merges cleanly will land',
  review: 'everything that merges cleanly and passes the review will land',
  approve: 'everything that merges cleanly will land once you approve it',
} as const satisfies Record<LandingMode, string>

/** What a job without checks will land. */
export function noChecksAhead(mode: LandingMode): string {
  return `${NO_CHECKS}: ${AHEAD[mode]}`
}
