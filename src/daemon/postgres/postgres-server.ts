import type { Result } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'

/** What the `pg` package needs to connect; spread it into a pool's or client's configuration. */
export type PostgresConnection =
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly ssl: false
    }
  | { readonly connectionString: string }

/**
 * The database with the daemon's records, embedded or external.
 *
 * Contract: `ensureRunning` may be called at any time and concurrently, never throws for an expected reason, and always
 * returns in bounded time. After `stop` the object can't be used again: `ensureRunning` returns `closed`.
 */
export interface PostgresServer extends AsyncDisposable {
  readonly connection: PostgresConnection
  /** The version of the server that responded, for example `18.4`. */
  readonly version: string
  /** Absent if we don't supervise the server. */
  readonly pid?: number
  ensureRunning(): Promise<Result<void, PostgresFailure>>
  stop(): Promise<void>
  /** Ends our own server, if there is one, without touching any file: its directory may belong to another by now. */
  abandon(): void
}
