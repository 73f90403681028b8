/** The flags that every command accepts. */
export type GlobalOptions = {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly color: boolean
  /** Whether long output may go through a pager. */
  readonly pager?: boolean
  readonly home?: string
  readonly server?: string
  readonly tokenFile?: string
}

/** Those of them that take a value as the next word. */
export const VALUE_FLAGS: readonly string[] = ['--home', '--server', '--token-file']
