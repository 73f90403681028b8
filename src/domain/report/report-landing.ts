import type { TaskId } from '../id.ts'
import { landingIdsOf } from '../landing/candidate.ts'
import type { CheckResult } from '../landing/check-result.ts'
import type { Landing } from '../landing/landing.ts'
import { landingWait } from '../landing/landing-wait.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import { cutText } from './cut-text.ts'
import type { ReportLanding } from './report.ts'
import type { ReportInput } from './report-input.ts'

/** One entry of the merge queue with its evidence, compared with git again. */
export function reportLanding(snapshot: ReportInput, landing: Landing): ReportLanding {
  const { state } = landing
  const candidate = candidateOf(snapshot, landing)
  const waitsFor = landingWait(landing, candidate)
  return {
    id: landing.id,
    attemptId: landing.attemptId,
    status: state.type,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(candidate === undefined ? {} : { candidateId: candidate.id }),
    mates: matesOf(snapshot, landing),
    isContained: state.type === 'landed' && state.isContained === true,
    ...(state.type === 'landed' ? { commit: state.commit, tree: state.tree } : {}),
    ...(state.type === 'rejected' ? { reason: cutText(state.reason) } : {}),
    conflictPaths: state.type === 'conflicted' ? state.paths.slice(0, REPORT_LIMITS.listed) : [],
    checks: landing.checks
      .slice(-REPORT_LIMITS.listed)
      .map((check) => ({ ...check, detail: cutText(check.detail) })),
    ...(state.type === 'landed' ? { verified: isVerified(snapshot, landing) } : {}),
  }
}

/** Whether git still has the tree that landed, and every check that counts ran on that tree. */
export function isVerified({ trees }: ReportInput, landing: Landing): boolean {
  const { state } = landing
  if (state.type !== 'landed' || trees.get(state.commit) !== state.tree) return false
  const counts = ({ passed, failedOnBase }: CheckResult) => passed || failedOnBase === true
  return landing.checks.every((check) => !counts(check) || check.tree === state.tree)
}

/** Whether each of the job's checks passed on exactly the tree that landed. */
export function isChecked({ job }: ReportInput, landing: Landing): boolean {
  const { state } = landing
  if (state.type !== 'landed') return false
  // It brought nothing new, so there was nothing to check.
  if (state.isContained === true) return true
  return job.plan.checks.every((command) =>
    landing.checks.some((check) => check.command === command && check.passed && check.tree === state.tree),
  )
}

/** The newest candidate that this landing was part of. */
function candidateOf({ candidates }: ReportInput, landing: Landing) {
  return candidates.findLast((candidate) => landingIdsOf(candidate).includes(landing.id))
}

function matesOf(snapshot: ReportInput, landing: Landing): readonly TaskId[] {
  const candidate = candidateOf(snapshot, landing)
  const mates = candidate === undefined ? [] : landingIdsOf(candidate).filter((id) => id !== landing.id)
  return snapshot.landings
    .filter(({ id }) => mates.includes(id))
    .map(({ taskId }) => taskId)
    .slice(0, REPORT_LIMITS.listed)
}
