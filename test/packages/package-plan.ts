/** The three tasks of a job on a package: add a file, edit a file, add a test. */
export type PackagePlan = {
  readonly add: string
  readonly edit: string
  readonly test: { readonly path: string; readonly text: string }
  /** Where the agent leaves a coverage report, which .gitignore covers. */
  readonly coverage?: string
}
