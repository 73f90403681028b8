/** What a session's program may reach. Paths are absolute; anything not listed is read-only. */
export type SandboxPolicy = {
  /** `auto`: the strongest level that works here. A level requested by name that does not work is a failure. */
  readonly level: 'auto' | Containment | 'none'
  readonly writable: readonly string[]
  /** Readable even though they are below something hidden. */
  readonly readable: readonly string[]
  /** Not even readable: the person's home, Muster's own files. */
  readonly hidden: readonly string[]
  readonly hiddenNames?: HiddenNames
  readonly network: 'allow' | 'deny'
  readonly memoryMb?: number
  readonly maxProcesses?: number
}

/** Names that are hidden in these directories and a few levels below them, wherever exactly they are. */
export type HiddenNames = {
  readonly within: readonly string[]
  /**
   * A name such as `etc/npmrc` includes the name of the directory. One `*` in a name stands for any text. Capitals
   * don't matter.
   */
  readonly files: readonly string[]
  /** Files that are shown although their name is among `files`. */
  readonly harmlessFiles?: readonly string[]
  readonly directories: readonly string[]
}

/** What a person chose for all sessions of a project. */
export type SandboxChoice = Pick<SandboxPolicy, 'level' | 'network' | 'memoryMb' | 'maxProcesses'> & {
  /** Readable for all sessions besides what they need; absolute, or below the home as `~/x`. */
  readonly readable?: readonly string[]
  readonly writable?: readonly string[]
}

export const USUAL_SANDBOX: SandboxChoice = { level: 'auto', network: 'allow' }

/** How firmly a session's processes are contained, strongest first. Only `bubblewrap` also limits file access. */
export type Containment = 'bubblewrap' | 'pid-namespace' | 'process-group'
