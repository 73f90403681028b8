import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import { bringUp, connectionOf, type RunningPostmaster } from './bring-up.ts'
import type { Cluster } from './cluster.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import type { PostgresServer } from './postgres-server.ts'
import { removeShortDirectory } from './socket-directory.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { nameSystemError } from './system-error.ts'

type Needs = { readonly log: Log }

/** The supervisor of one cluster's server. It polls nothing: whoever loses a connection asks it to make sure. */
export class EmbeddedPostgres implements PostgresServer {
  readonly connection: ReturnType<typeof connectionOf>
  readonly #needs: Needs
  readonly #cluster: Cluster
  readonly #startTimeoutMs: number
  readonly #closing = new AbortController()
  #running: RunningPostmaster | undefined
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

  /** Of the server that answered last; 0 before the first answer. */
  get pid(): number {
    return this.#running?.pid ?? 0
  }

  /** Adopts a living server, starts an absent one, restarts a dead one. Callers at the same time share one effort. */
  ensureRunning(): Promise<Result<void, PostgresFailure>> {
    if (this.#closing.signal.aborted) return Promise.resolve(failure({ type: 'closed' }))
    this.#ensuring ??= this.#ensure().finally(() => {
      this.#ensuring = undefined
    })
    return this.#ensuring
  }

  /** Ends the server, also one that was adopted. Returns after at most about a minute, whatever the server does. */
  stop(): Promise<void> {
    this.#closing.abort()
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #ensure(): Promise<Result<void, PostgresFailure>> {
    try {
      const limits = { timeoutMs: this.#startTimeoutMs, signal: this.#closing.signal }
      const brought = await bringUp(this.#needs, this.#cluster, limits)
      if (!brought.ok) return brought
      this.#running = brought.value
      return success(undefined)
    } catch (error) {
      return failure(await nameSystemError(error, this.#cluster.places.base))
    }
  }

  async #stop(): Promise<void> {
    // What a start in progress comes to is told to those who asked for it.
    await Promise.allSettled([this.#ensuring])
    const isStopped = await stopPostmaster(this.#cluster)
    if (!isStopped) this.#needs.log.error({ pid: this.pid }, 'the database did not stop when asked to')
    await removeShortDirectory(this.#cluster)
  }
}
