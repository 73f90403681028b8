import type { EvidenceFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

const SHOWN_PATHS = 20

export const evidenceFailures: FailureTable<EvidenceFailure> = {
  'no-work': refusal(404, ({ subject, problem }) => ({
    message: `There is nothing to show of ${subject}: ${problem}.`,
    next: `muster show ${subject}`,
  })),
  'nothing-landed': refusal(409, ({ jobId }) => ({
    message: `${jobId} has landed nothing yet, so there is nothing to merge.`,
    next: `muster show ${jobId}`,
  })),
  'merge-conflict': refusal(409, ({ baseBranch, workingBranch, paths }) => ({
    message: `${workingBranch} and ${baseBranch} have changed the same lines in ${listed(paths)}.`,
    next: `git checkout ${baseBranch} && git merge ${workingBranch}`,
  })),
}

function listed(paths: readonly string[]): string {
  const more = paths.length - SHOWN_PATHS
  const shown = paths.slice(0, SHOWN_PATHS).join(', ')
  return more > 0 ? `${shown} and ${more} more files` : shown
}
