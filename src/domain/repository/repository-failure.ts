/** Git could not do its work: it is missing or too old, the disk is full, or it refused. */
export type GitFailure =
  | { readonly type: 'git-missing' }
  | { readonly type: 'git-too-old'; readonly version: string; readonly needed: string }
  | { readonly type: 'disk-full'; readonly path: string }
  | {
      readonly type: 'git-failed'
      readonly command: string
      readonly problem: string
      /** Trying again can't help, because what git was given is the problem. */
      readonly isPermanent?: true
    }

/** A job's repository isn't where it was when the job started. */
export type RepositoryMoved = { readonly type: 'repository-moved'; readonly path: string }

/** Why Muster can't work on a path. */
export type SourceFailure =
  | { readonly type: 'path-missing'; readonly path: string }
  | { readonly type: 'not-a-repository'; readonly path: string }
  | { readonly type: 'no-commits'; readonly path: string }
  | { readonly type: 'repository-unreadable'; readonly path: string; readonly problem: string }
  | GitFailure

export type ImportFailure =
  | SourceFailure
  | RepositoryMoved
  | { readonly type: 'base-missing'; readonly branch: string }

/** Why the uncommitted changes of a checkout can't be the start of a job. */
export type SnapshotFailure =
  | SourceFailure
  | { readonly type: 'uncommitted-unusable'; readonly path: string; readonly problem: string }

/** Why a branch was not delivered to the person's repository. */
export type DeliveryFailure =
  | { readonly type: 'branch-checked-out'; readonly branch: string; readonly at: string }
  | { readonly type: 'branch-diverged'; readonly branch: string }
  | { readonly type: 'delivery-failed'; readonly branch: string; readonly problem: string }
  | RepositoryMoved
  | GitFailure
