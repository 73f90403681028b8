/** Git could not do its work: it is missing, too old, out of disk, or refused. */
export type GitFailure =
  | { readonly type: 'git-missing' }
  | { readonly type: 'git-too-old'; readonly version: string; readonly needed: string }
  | { readonly type: 'disk-full'; readonly path: string }
  | { readonly type: 'git-failed'; readonly command: string; readonly problem: string }
