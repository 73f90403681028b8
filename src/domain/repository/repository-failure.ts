/** Git could not do its work: it is missing, too old, out of disk, or refused. */
export type GitFailure =
  | { readonly type: 'git-missing' }
  | { readonly type: 'git-too-old'; readonly version: string; readonly needed: string }
  | { readonly type: 'disk-full'; readonly path: string }
  | { readonly type: 'git-failed'; readonly command: string; readonly problem: string }

/** Why a path cannot be worked on. */
export type SourceFailure =
  | { readonly type: 'path-missing'; readonly path: string }
  | { readonly type: 'not-a-repository'; readonly path: string }
  | { readonly type: 'no-commits'; readonly path: string }
  | { readonly type: 'repository-unreadable'; readonly path: string; readonly problem: string }
  | GitFailure

export type ImportFailure = SourceFailure | { readonly type: 'base-missing'; readonly branch: string }

/** Why a branch did not reach the person's repository. */
export type DeliveryFailure =
  | { readonly type: 'branch-checked-out'; readonly branch: string; readonly at: string }
  | { readonly type: 'branch-diverged'; readonly branch: string }
  | { readonly type: 'delivery-failed'; readonly branch: string; readonly problem: string }
  | GitFailure
