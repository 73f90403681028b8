import type { Containment } from '../../../domain/session/sandbox-policy.ts'

/** A way to hold the processes of a session together that was tried and works on this machine. */
export type Holding =
  | BubblewrapHolding
  | {
      readonly containment: 'pid-namespace'
      /** What the host puts before its init. */
      readonly command: readonly string[]
      readonly hasOwnUsers: boolean
    }
  | { readonly containment: 'process-group' }

export type BubblewrapHolding = {
  readonly containment: 'bubblewrap'
  /** The program and the options that every session needs. */
  readonly command: readonly string[]
  readonly canDenyNetwork: boolean
  /** Whether the session has a user namespace: limits on a user's processes then count this session's alone. */
  readonly hasOwnUsers: boolean
}

export type Holdings = {
  /** What works here, strongest first. A process group always does. */
  readonly working: readonly Holding[]
  /** Why the others do not, and what could be done about it. */
  readonly problems: Readonly<Partial<Record<Containment, string>>>
  /** Puts the program in a process group of its own: `kill 0` in it must not reach its host. */
  readonly ownGroup: readonly string[]
  /** Sets limits of the kernel for what it starts, where the machine has it. */
  readonly prlimit?: string
}
