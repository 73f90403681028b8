/** What a setting of a repository's file can do to the person who runs it. */
export type PartEffect = 'runs-programs' | 'loosens-protection' | 'sends-keys'

/** One setting of a repository's configuration file that has no effect until the person trusts it. */
export type GuardedPart = {
  /** Where it is in the file, such as `agents.mine.command`. */
  readonly field: string
  /** The value as text: a string as it is, everything else as JSON. */
  readonly value: string
  readonly effect: PartEffect
}
