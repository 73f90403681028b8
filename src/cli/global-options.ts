/** The flags every command takes. */
export type GlobalOptions = {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly color: boolean
  readonly home?: string
  readonly server?: string
  readonly tokenFile?: string
}
