/** The result of one check on one exact tree. */
export type CheckResult = {
  readonly command: string
  readonly passed: boolean
  readonly detail: string
  /** The tree the check ran on; the auditor compares it with the tree that landed. */
  readonly tree: string
  /** It failed on this tree and passed on it when it was run again. */
  readonly isFlaky?: boolean
}
