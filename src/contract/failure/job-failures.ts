import type { BaseFailure, ControlFailure, EvidenceFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

/** The participle for each event that a state may reject. */
const PARTICIPLES: Readonly<Record<string, string>> = {
  'job-start': 'started',
  'pause-request': 'paused',
  'job-resume': 'resumed',
  'job-cancel': 'cancelled',
  'document-edit': 'edited',
}

/** The states that do not read well after `is`. */
const STATES: Readonly<Record<string, string>> = {
  pending: 'has not started yet',
  completed: 'has ended',
  cancelled: 'was cancelled',
  error: 'stopped with an error',
}

/** The states of a job that has ended, which `muster status` no longer shows. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled', 'error'])

function nextAfter(from: string, event: string): string {
  if (!ENDED.has(from)) return event === 'document-edit' ? 'muster list jobs' : 'muster status'
  const wantsWork = event !== 'job-cancel' && event !== 'pause-request'
  return wantsWork ? 'muster run "what you want done"' : 'muster list jobs'
}

export const controlFailures: FailureTable<ControlFailure> = {
  'job-not-found': refusal(404, ({ jobId }) => ({
    message: `There is no job ${jobId}.`,
    next: 'muster list jobs',
  })),
  'illegal-transition': refusal(409, ({ noun, from, event }) => ({
    message:
      PARTICIPLES[event] === from
        ? `The ${noun} is already ${from}.`
        : `The ${noun} ${STATES[from] ?? `is ${from}`}, so it cannot be ${PARTICIPLES[event] ?? `asked for ${event}`}.`,
    next: nextAfter(from, event),
  })),
}

/** Why a base needs no decision, by what the job knows about it. */
const SETTLED_BASES: Readonly<Record<string, string>> = {
  ended: 'the job has ended',
  unchecked: 'this job does not check its base',
  checking: "the job's base is still being checked",
  passed: "the job's base passes its checks",
  unknown: "the job's base could not be checked, and the job continues without a result",
  tolerated: 'the decision to continue was already made',
  'to-fix': 'the decision to fix the base first was already made',
  fixing: 'the base is being fixed',
  fixed: 'the base was fixed',
}

export const baseFailures: FailureTable<BaseFailure> = {
  'base-not-asked': refusal(409, ({ jobId, base }) => ({
    message: `There is nothing to decide about the base of ${jobId}: ${SETTLED_BASES[base] ?? base}.`,
    next: base === 'ended' ? 'muster run "what you want done"' : `muster base ${jobId}`,
  })),
  'base-setup-fails': refusal(409, ({ jobId, command }) => ({
    message: `The job cannot continue on this base: the setup command "${command}" fails, so no agent could start.`,
    next: `muster base ${jobId} fix`,
  })),
}

const SHOWN_PATHS = 20

export const evidenceFailures: FailureTable<EvidenceFailure> = {
  'no-work': refusal(404, ({ subject, problem }) => ({
    message: `Nothing to show for ${subject}: ${problem}.`,
    next: `muster show ${subject}`,
  })),
  'nothing-landed': refusal(409, ({ jobId, hasEnded }) => ({
    message: hasEnded
      ? `${jobId} ended without landing anything, so there is nothing to merge.`
      : `${jobId} has not landed anything yet, so there is nothing to merge.`,
    next: `muster show ${jobId}`,
  })),
  'base-detached': refusal(409, ({ jobId, workingBranch }) => ({
    message: `${jobId} started from a detached HEAD, so it has no base branch to merge into. Its work is on ${workingBranch}, with TASKLIST.md and, if it was included, the snapshot of your uncommitted changes.`,
    next: `git merge ${workingBranch}, in a checkout of the branch that should get the work`,
  })),
  'uncommitted-included': refusal(409, ({ jobId, baseBranch, fileCount }) => ({
    message: `${jobId} started from uncommitted changes in ${fileCount === 1 ? '1 file' : `${fileCount} files`}, and ${baseBranch} doesn't have them. Its work contains them, so they would become part of ${baseBranch}.`,
    next: `commit your changes to ${baseBranch} and try again, or include them: --with-uncommitted`,
  })),
  'merge-conflict': refusal(409, ({ baseBranch, workingBranch, paths }) => ({
    message: `${workingBranch} and ${baseBranch} changed the same lines in ${joinPaths(paths)}.`,
    next: `git checkout ${baseBranch} && git merge ${workingBranch}`,
  })),
}

function joinPaths(paths: readonly string[]): string {
  const more = paths.length - SHOWN_PATHS
  const shown = paths.slice(0, SHOWN_PATHS).join(', ')
  return more > 0 ? `${shown} and ${more} more files` : shown
}
