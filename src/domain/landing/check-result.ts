/** The result of one check on one exact tree. */
export type CheckResult = {
  readonly command: string
  readonly passed: boolean
  readonly detail: string
  /** The tree the check ran on, to be compared with the tree that landed. */
  readonly tree: string
  /** It failed on this tree and passed when it ran again. */
  readonly isFlaky?: boolean
  /**
   * It failed, and failed on the base in the same way, so the failure isn't held against the work. Which tests failed
   * isn't known.
   */
  readonly failedOnBase?: boolean
}
