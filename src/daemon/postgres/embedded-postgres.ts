import { readFileSync } from 'node:fs'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import type { Cluster } from './cluster.ts'
import { connectionOf, ensurePostmaster, type RunningPostmaster } from './ensure-postmaster.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import type { PostgresServer } from './postgres-server.ts'
import { removeShortDirectory } from './socket-directory.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { isSystemError, nameSystemError } from './system-error.ts'

type Needs = {
  readonly log: Log
  /** Whether the cluster's directory still is the one that was opened. If not, nothing may be done there. */
  readonly isOurs?: () => boolean
}

/** The supervisor of one cluster's server. It doesn't poll: whoever loses a connection calls `ensureRunning`. */
export class EmbeddedPostgres implements PostgresServer {
  readonly connection: ReturnType<typeof connectionOf>
  readonly #needs: Needs
  readonly #cluster: Cluster
  readonly #startTimeoutMs: number
  readonly #closing = new AbortController()
  #running: RunningPostmaster | undefined
  #startTime: string | undefined
  #ensuring: Promise<Result<void, PostgresFailure>> | undefined
  #stopping: Promise<void> | undefined

  constructor(needs: Needs, cluster: Cluster, options: { readonly startTimeoutMs: number }) {
    this.#needs = needs
    this.#cluster = cluster
    this.#startTimeoutMs = options.startTimeoutMs
    this.connection = connectionOf(cluster)
  }

  get version(): string {
    return this.#running?.version ?? this.#cluster.binaries.version
  }

  /** The pid of the server that responded last; 0 before the first response. */
  get pid(): number {
    return this.#running?.pid ?? 0
  }

  /** Adopts a running server, starts an absent one, restarts a dead one. Concurrent callers share one effort. */
  ensureRunning(): Promise<Result<void, PostgresFailure>> {
    if (this.#closing.signal.aborted) return Promise.resolve(failure({ type: 'closed' }))
    this.#ensuring ??= this.#ensure().finally(() => {
      this.#ensuring = undefined
    })
    return this.#ensuring
  }

  /** Stops the server, even an adopted one. Returns after at most about a minute, whatever the server does. */
  stop(): Promise<void> {
    this.#closing.abort()
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /**
   * Kills the server rather than asking it to stop: on its way out, it would remove its socket by its path, which may be
   * the socket of a new home's server. Without /proc, it is left alone; it ends by itself if its directory is gone.
   */
  abandon(): void {
    this.#closing.abort()
    if (this.pid === 0 || this.#startTime === undefined || processStart(this.pid) !== this.#startTime) return
    try {
      process.kill(this.pid, 'SIGKILL')
    } catch (error) {
      if (!isSystemError(error, 'ESRCH')) throw error
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  #isOurs(): boolean {
    return this.#needs.isOurs?.() ?? true
  }

  async #ensure(): Promise<Result<void, PostgresFailure>> {
    try {
      const limits = { timeoutMs: this.#startTimeoutMs, signal: this.#closing.signal }
      const brought = await ensurePostmaster(this.#needs, this.#cluster, limits)
      if (!brought.ok) return brought
      // Another home may have taken its place meanwhile, and this is the server of that home.
      if (!this.#isOurs()) return failure({ type: 'closed' })
      this.#running = brought.value
      this.#startTime = processStart(brought.value.pid)
      return success(undefined)
    } catch (error) {
      return failure(await nameSystemError(error, this.#cluster.places.base))
    }
  }

  async #stop(): Promise<void> {
    // A start in progress reports its result to those who asked for it.
    await Promise.allSettled([this.#ensuring])
    if (!this.#isOurs()) return this.abandon()
    const isStopped = await stopPostmaster(this.#cluster)
    if (!isStopped) this.#needs.log.error({ pid: this.pid }, 'the database did not stop')
    await removeShortDirectory(this.#cluster)
  }
}

/** When a process started, in ticks since boot; undefined if there is no such process or no /proc. */
function processStart(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name is in brackets and may contain brackets and spaces itself.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
