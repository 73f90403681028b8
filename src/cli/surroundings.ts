import type { Readable, Writable } from 'node:stream'

export type InputStream = Readable & { readonly isTTY?: boolean }
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export type ServeOptions = {
  readonly home: string
  readonly port?: number
  readonly background: boolean
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
}

export type Serve = (options: ServeOptions) => Promise<number>

/** Everything a command takes from the process it runs in, so that nothing below reaches for globals. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly isRoot: boolean
  /** The person's home directory, not Muster's. */
  readonly userDirectory: string
  /** The name the person is known by on this machine. */
  readonly userName: string
  readonly temporaryDirectory: string
  readonly version: string
  readonly nodePath: string
  /** Program and arguments that run this same program again. */
  readonly program: readonly [string, ...string[]]
  readonly serve: Serve
  readonly now: () => Date
  /** Calls back for every such signal until disposed; without a listener the signal has its usual effect. */
  onSignal(signal: NodeJS.Signals, listener: () => void): Disposable
}
