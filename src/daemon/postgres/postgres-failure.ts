import { assertNever } from '../../domain/assert-never.ts'
import {
  describeEmbeddedFailure,
  type EmbeddedPostgresFailure,
  type FailureWords,
} from './embedded-postgres-failure.ts'

/** Every expected reason why the database is unavailable. None of them changes anything on disk. */
export type PostgresFailure = EmbeddedPostgresFailure | ExternalPostgresFailure

export function describePostgresFailure(failed: PostgresFailure): FailureWords {
  switch (failed.type) {
    case 'url-invalid':
    case 'unreachable':
    case 'authentication-refused':
    case 'database-missing':
    case 'server-too-old':
      return describeExternalFailure(failed)
    default:
      return describeEmbeddedFailure(failed)
  }
}

/** What can be wrong with an external PostgreSQL. Never contains the password or the whole URL. */
type ExternalPostgresFailure =
  | { readonly type: 'url-invalid' }
  | { readonly type: 'unreachable'; readonly target: string; readonly detail: string }
  | {
      readonly type: 'authentication-refused'
      readonly target: string
      readonly user: string
      readonly detail: string
    }
  | { readonly type: 'database-missing'; readonly target: string; readonly database: string }
  | {
      readonly type: 'server-too-old'
      readonly target: string
      readonly found: string
      readonly neededMajor: number
    }

function describeExternalFailure(failed: ExternalPostgresFailure): FailureWords {
  switch (failed.type) {
    case 'url-invalid':
      return {
        message: 'MUSTER_DATABASE_URL is not a PostgreSQL URL.',
        next: 'Write it as postgresql://user:password@host:5432/database, or unset it to use the built-in database.',
      }
    case 'unreachable':
      return {
        message: `Could not connect to PostgreSQL at ${failed.target}: ${failed.detail}.`,
        next: 'Check the host, the port and that the server is running, or unset MUSTER_DATABASE_URL to use the built-in database.',
      }
    case 'authentication-refused':
      return {
        message: `PostgreSQL at ${failed.target} refused user ${failed.user}: ${failed.detail}.`,
        next: "Check the user and password in MUSTER_DATABASE_URL, and the server's pg_hba.conf.",
      }
    case 'database-missing':
      return {
        message: `PostgreSQL at ${failed.target} has no database named ${failed.database}.`,
        next: `Create it (createdb ${failed.database}) or set another database in MUSTER_DATABASE_URL.`,
      }
    case 'server-too-old':
      return {
        message: `PostgreSQL at ${failed.target} is version ${failed.found}; Muster needs ${failed.neededMajor} or newer.`,
        next: 'Point MUSTER_DATABASE_URL at a newer server, or unset it to use the built-in database.',
      }
    default:
      return assertNever(failed)
  }
}
