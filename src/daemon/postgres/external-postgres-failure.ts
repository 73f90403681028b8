import { assertNever } from '../../domain/assert-never.ts'

/** How a PostgreSQL that answers over a connection can disappoint. Never carries the password or the whole URL. */
export type ExternalPostgresFailure =
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

export function describeExternalFailure(failed: ExternalPostgresFailure): {
  readonly message: string
  readonly next: string
} {
  switch (failed.type) {
    case 'url-invalid':
      return {
        message: 'DATABASE_URL is not a PostgreSQL address.',
        next: 'Write it as postgresql://user:password@host:5432/database, or unset it to use the embedded database.',
      }
    case 'unreachable':
      return {
        message: `No PostgreSQL answers at ${failed.target}: ${failed.detail}.`,
        next: 'Check host, port and that the server runs, or unset DATABASE_URL to use the embedded database.',
      }
    case 'authentication-refused':
      return {
        message: `PostgreSQL at ${failed.target} does not let ${failed.user} in: ${failed.detail}.`,
        next: 'Check the user and password in DATABASE_URL and the pg_hba.conf of that server.',
      }
    case 'database-missing':
      return {
        message: `PostgreSQL at ${failed.target} has no database named ${failed.database}.`,
        next: `Create it (createdb ${failed.database}) or name another database in DATABASE_URL.`,
      }
    case 'server-too-old':
      return {
        message: `PostgreSQL at ${failed.target} is version ${failed.found}; Muster needs ${failed.neededMajor} or newer.`,
        next: 'Point DATABASE_URL at a newer server, or unset it to use the embedded database.',
      }
    default:
      return assertNever(failed)
  }
}
