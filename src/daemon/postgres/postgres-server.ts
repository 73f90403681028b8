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
 * The database the daemon keeps its records in, embedded or somebody else's.
 *
 * Contract: `ensureRunning` may be called at any time and by many at once, never throws for an expected
 * reason, and has an end. After `stop` the object is used up: `ensureRunning` answers `closed`.
 */
export interface PostgresServer extends AsyncDisposable {
  readonly connection: PostgresConnection
  /** Of the server that answered, for example `18.4`. */
  readonly version: string
  /** Absent when the server is not ours to supervise. */
  readonly pid?: number
  ensureRunning(): Promise<Result<void, PostgresFailure>>
  stop(): Promise<void>
}
