/** What a session's program may reach. Paths are absolute; what is not named is readable and not writable. */
export type SandboxPolicy = {
  /** `auto`: the strongest that works here. A level that was asked for by name and does not work is a failure. */
  readonly level: 'auto' | Containment | 'none'
  readonly writable: readonly string[]
  /** Made readable although they lie below something hidden. */
  readonly readable: readonly string[]
  /** Not even readable: the person's home, Muster's own files. */
  readonly hidden: readonly string[]
  readonly network: 'allow' | 'deny'
  readonly memoryMb?: number
  readonly maxProcesses?: number
}

/** What a person chose for all sessions of a project. */
export type SandboxChoice = Pick<SandboxPolicy, 'level' | 'network' | 'memoryMb' | 'maxProcesses'> & {
  /** Shown to all sessions besides what they need; absolute, or below the home as `~/x`. */
  readonly readable?: readonly string[]
  readonly writable?: readonly string[]
}

export const USUAL_SANDBOX: SandboxChoice = { level: 'auto', network: 'allow' }

/** How firmly a session is held, strongest first. Only `bubblewrap` also limits what it can read and write. */
export type Containment = 'bubblewrap' | 'pid-namespace' | 'process-group'
