import { assertNever } from '../domain/assert-never.ts'
import type { ListenFailure } from '../server/create-server.ts'
import type { MigrationFailure } from './compose.ts'
import type { DatabaseLockFailure } from './database-lock.ts'
import { describeHolder } from './lock-holder.ts'
import {
  describePostgresFailure,
  type FailureWords,
  type PostgresFailure,
} from './postgres/postgres-failure.ts'

/** Why a daemon did not start; each is a person's to mend. */
export type StartFailure =
  | { readonly type: 'home-taken'; readonly home: string; readonly pid?: number; readonly url?: string }
  | { readonly type: 'home-unusable'; readonly home: string; readonly problem: string }
  | { readonly type: 'postgres'; readonly failure: PostgresFailure }
  | { readonly type: 'migration'; readonly failure: MigrationFailure }
  | DatabaseLockFailure
  | ListenFailure

/**
 * 3 means that something else has what this daemon needs. A database of another home's daemon is 5 all the same:
 * commands that start a daemon take 3 to mean that their home's daemon is already there, and wait for it.
 */
export function exitCodeOf(failed: StartFailure): number {
  return failed.type === 'home-taken' || failed.type === 'port-unavailable' ? 3 : 5
}

export function describeStartFailure(failed: StartFailure): FailureWords {
  switch (failed.type) {
    case 'home-taken':
      return {
        message: `a daemon already runs for ${failed.home}${failed.pid === undefined ? '' : ` (pid ${failed.pid}, ${failed.url})`}`,
        next: 'muster status',
      }
    case 'home-unusable':
      return { message: `${failed.home} cannot be used: ${failed.problem}`, next: 'muster --home DIR serve' }
    case 'postgres':
      return describePostgresFailure(failed.failure)
    case 'migration':
      return describeMigration(failed.failure)
    case 'database-taken':
      return {
        message: `another daemon uses this database (${describeHolder(failed.holder)}); two would end each other's sessions`,
        next: 'use that daemon, or stop it with `muster --home DIR shutdown` where it runs, or give this home another DATABASE_URL',
      }
    case 'connections-pooled':
      return {
        message:
          'DATABASE_URL leads to a pooler that shares one connection between clients; a lock would not last',
        next: 'point DATABASE_URL at PostgreSQL itself, or set the pooler to session mode',
      }
    case 'lock-unavailable':
      return {
        message: `the lock on the database could not be taken: ${failed.problem}`,
        next: 'muster doctor',
      }
    case 'port-unavailable':
      return {
        message: `port ${failed.port} cannot be used: ${failed.problem}`,
        next: 'muster serve --port 0',
      }
    default:
      return assertNever(failed)
  }
}

function describeMigration(failed: MigrationFailure): FailureWords {
  if (failed.type === 'schema-newer') {
    return {
      message: `the database was written by a newer Muster (${failed.found}; this one knows ${failed.known})`,
      next: 'npm install -g muster@latest',
    }
  }
  return { message: `migration ${failed.migration} failed: ${failed.problem}`, next: 'muster doctor' }
}
