import type { Containment } from '../../../domain/session/sandbox-policy.ts'

/** A way to contain a session's processes that was tried and works on this machine. */
export type ContainmentMethod =
  | BubblewrapMethod
  | {
      readonly containment: 'pid-namespace'
      /** The command that the host puts in front of its init. */
      readonly command: readonly string[]
      readonly hasOwnUsers: boolean
    }
  | { readonly containment: 'process-group' }

export type BubblewrapMethod = {
  readonly containment: 'bubblewrap'
  /** The program, with the options that every session needs. */
  readonly command: readonly string[]
  readonly canDenyNetwork: boolean
  /** Whether the session has its own user namespace. A limit on a user's processes then counts only this session's. */
  readonly hasOwnUsers: boolean
}

export type ContainmentMethods = {
  /** The methods that work here, strongest first. A process group always works. */
  readonly working: readonly ContainmentMethod[]
  /** Why the other methods don't work, and how to fix that. */
  readonly problems: Readonly<Partial<Record<Containment, string>>>
  /** Starts the program in its own process group, so that `kill 0` doesn't reach its host. */
  readonly ownGroup: readonly string[]
  /** The program that sets kernel limits, if this machine has it. */
  readonly prlimit?: string
}
