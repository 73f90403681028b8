import type { DeletionFailure, RecoveryFailure } from '../../domain/cleanup/cleanup-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

const NAMED = 5

export const cleanupFailures: FailureTable<DeletionFailure | RecoveryFailure> = {
  'pin-not-found': refusal(404, ({ id }) => ({
    message: `Nothing is pinned for ${id}: it left no work, or its work landed.`,
    next: 'muster recover --all',
  })),
  'recovery-branch-invalid': refusal(422, ({ branch }) => ({
    message: `"${branch}" is not a valid branch name.`,
    next: 'muster recover ID --branch ANOTHER-NAME',
  })),
  'recovery-branch-taken': refusal(409, ({ branch }) => ({
    message: `The branch ${branch} already exists, and restored work must not overwrite it.`,
    next: 'muster recover ID --branch ANOTHER-NAME',
  })),
  'work-refused': refusal(409, ({ id, reason }) => ({
    message: `The work of ${id} was refused: ${reason}. It can be restored, but use it with care.`,
    next: `muster recover ${id} --with-refused-work`,
  })),
  'job-not-ended': refusal(409, ({ jobId, status }) => ({
    message: `${jobId} has not ended: it is ${status}.`,
    next: `muster cancel ${jobId}`,
  })),
  'job-in-use': refusal(409, ({ jobId, by }) => ({
    message: `${jobId} has ended, but ${by} has not.`,
    next: by.startsWith('ses_') ? `muster stop ${by}` : `muster watch ${jobId}`,
  })),
  'job-forked': refusal(409, ({ jobId, forks }) => ({
    message: `${listed(forks)} ${forks.length === 1 ? 'continues' : 'continue'} from a run of ${jobId} and ${forks.length === 1 ? 'needs' : 'need'} what it made.`,
    next: `muster delete ${forks[0] ?? 'JOB'}, then try again`,
  })),
  'work-unlanded': refusal(409, ({ jobId, works }) => ({
    message: `${jobId} has work that exists nowhere else: ${listed(works)}.`,
    next: `muster recover ${jobId} to see it, or muster delete ${jobId} --with-unlanded-work to delete it too`,
  })),
  'branch-kept': refusal(409, ({ branch, at }) => ({
    message:
      at === undefined
        ? `${branch} in your repository has commits that are in no other branch.`
        : `${branch} is checked out at ${at}.`,
    next:
      at === undefined
        ? 'Delete the job without --branch, then delete the branch yourself.'
        : 'Check out another branch there and try again, or leave out --branch.',
  })),
}

function listed(works: readonly string[]): string {
  const more = works.length - NAMED
  const shown = works.slice(0, NAMED).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}
