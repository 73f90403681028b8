/*
 * The wording for jobs without checks, used in these places: at the start of a job, with every landing and merge, in
 * its summary and in its report. Its candidates pass at once (`insertCandidate`), and its report is never ready.
 */

export const NO_CHECKS = 'no checks are configured'
export const NO_CHECKS_AHEAD = `${NO_CHECKS}: everything that merges cleanly will land`
export const NOTHING_CHECKED = `${NO_CHECKS}: nothing was checked`
