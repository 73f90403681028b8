import { describeEmbeddedFailure, type EmbeddedPostgresFailure } from './embedded-postgres-failure.ts'
import { describeExternalFailure, type ExternalPostgresFailure } from './external-postgres-failure.ts'

/** Every expected way in which the database can be out of reach. Nothing on disk is changed by any of them. */
export type PostgresFailure = EmbeddedPostgresFailure | ExternalPostgresFailure

export type FailureWords = { readonly message: string; readonly next: string }

/** What happened in plain words, and what the person can do about it. */
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
