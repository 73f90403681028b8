/** Why pinned work can't be restored as a branch. */
export type RecoveryFailure =
  | { readonly type: 'pin-not-found'; readonly id: string }
  | { readonly type: 'recovery-branch-invalid'; readonly branch: string }
  | { readonly type: 'recovery-branch-taken'; readonly branch: string }
  /** It must not be used unless the person asks for it explicitly. */
  | { readonly type: 'work-refused'; readonly id: string; readonly reason: string }

/** Why a job can't be deleted, or not in the way that was asked for. */
export type DeletionFailure =
  | { readonly type: 'job-not-ended'; readonly jobId: string; readonly status: string }
  /** Something of the job still runs: a session, or a merge that is being checked. */
  | { readonly type: 'job-in-use'; readonly jobId: string; readonly by: string }
  /** Runs of other jobs continue from one of its runs, and need what it made. */
  | { readonly type: 'job-forked'; readonly jobId: string; readonly forks: readonly string[] }
  /** It has work that exists nowhere else. */
  | { readonly type: 'work-unlanded'; readonly jobId: string; readonly works: readonly string[] }
  | {
      readonly type: 'branch-kept'
      readonly branch: string
      /** Where it is checked out; absent if it has commits that are nowhere else. */
      readonly at?: string
    }
