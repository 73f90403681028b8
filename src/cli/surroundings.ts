import type { Readable, Writable } from 'node:stream'

import type { Result } from '../domain/result.ts'

export type InputStream = Readable & { readonly isTTY?: boolean }
export type OutputStream = Writable & {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** Absent if the stream is not a file of this process. */
  readonly fd?: number
}

export type ServeOptions = {
  readonly home: string
  readonly port?: number
  readonly background: boolean
  /** Whether the home takes over a database of another home, or gets another database. */
  readonly adoptDatabase?: boolean
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
}

export type Serve = (options: ServeOptions) => Promise<number>

export type RestoreOptions = {
  readonly home: string
  readonly file: string
  readonly force: boolean
  /** Called once nothing is in the way any more. */
  readonly onStart: () => void
}

export type Restored = {
  readonly home: string
  readonly madeAt: string
  readonly hubs: number
  readonly movedTo?: string
}

/** Why something in the command's own process failed. */
export type OwnFailure = { readonly type: string; readonly message: string; readonly next: string }

export type Restore = (options: RestoreOptions) => Promise<Result<Restored, OwnFailure>>

/** What a daemon that was killed had left in its home. */
export type Leftovers = {
  readonly hasStoppedDatabase: boolean
  /** How many sessions still have a process. */
  readonly runningSessions: number
}

/** Stops what only a daemon uses, in a home without one. Sessions continue. */
export type StopLeftovers = (home: string) => Promise<Result<Leftovers, OwnFailure>>

/** What runs in the command's own process instead of a daemon's. */
export type OwnProcess = {
  readonly serve: Serve
  readonly restore: Restore
  readonly stopLeftovers: StopLeftovers
}

/** Everything that a command takes from its process, so that no other file uses globals. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly isRoot: boolean
  /** The person's home directory, not Muster's. */
  readonly userDirectory: string
  /** The person's user name on this machine. */
  readonly userName: string
  readonly temporaryDirectory: string
  readonly version: string
  readonly nodePath: string
  /** Program and arguments that start this program again. */
  readonly program: readonly [string, ...string[]]
  readonly serve: Serve
  readonly restore: Restore
  readonly stopLeftovers: StopLeftovers
  readonly now: () => Date
  /** Calls the listener for every such signal until disposed. Without a listener, the signal has its default effect. */
  onSignal(signal: NodeJS.Signals, listener: () => void): Disposable
}
