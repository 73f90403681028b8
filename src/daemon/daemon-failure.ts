import { assertNever } from '../domain/assert-never.ts'
import type { ListenFailure } from '../server/create-server.ts'
import type { MigrationFailure } from './compose.ts'
import type { DatabaseLockFailure } from './database-lock.ts'
import type { OwnershipFailure } from './judge-ownership.ts'
import { describeHolder } from './lock-holder.ts'
import type { FailureWords } from './postgres/embedded-postgres-failure.ts'
import { describePostgresFailure, type PostgresFailure } from './postgres/postgres-failure.ts'

/** Why a daemon did not start or had to stop; each reason is one that a person can fix. */
export type DaemonFailure =
  | { readonly type: 'home-taken'; readonly home: string; readonly pid?: number; readonly url?: string }
  | { readonly type: 'home-unusable'; readonly home: string; readonly problem: string }
  /** A restore into the home was killed before it was done, or is still running. */
  | { readonly type: 'restore-unfinished'; readonly home: string }
  | { readonly type: 'postgres'; readonly failure: PostgresFailure }
  | { readonly type: 'migration'; readonly failure: MigrationFailure }
  | { readonly type: 'setting-invalid'; readonly problem: string; readonly next: string }
  /** Found while it runs: the home's path leads to another directory, or to none. */
  | { readonly type: 'home-lost'; readonly home: string }
  /** Found while it runs: the database was replaced, or another daemon owns it. */
  | { readonly type: 'database-lost' }
  | OwnershipFailure
  | DatabaseLockFailure
  | ListenFailure

/**
 * 3 means that something else has what this daemon needs. A database used by another home's daemon is still 5, because
 * commands that start a daemon take 3 to mean that their home's daemon is already running, and wait for it.
 */
export function exitCodeOf(failed: DaemonFailure): number {
  return failed.type === 'home-taken' || failed.type === 'port-unavailable' ? 3 : 5
}

export function describeDaemonFailure(failed: DaemonFailure): FailureWords {
  switch (failed.type) {
    case 'home-taken':
      return {
        message: `a daemon is already running for ${failed.home}${failed.pid === undefined ? '' : ` (pid ${failed.pid}, ${failed.url})`}`,
        next: 'muster status',
      }
    case 'home-unusable':
      return { message: `${failed.home} cannot be used: ${failed.problem}`, next: 'muster --home DIR serve' }
    case 'restore-unfinished':
      return {
        message: `a restore into ${failed.home} was interrupted or is still running, so this home is incomplete`,
        next: 'muster restore FILE --force, with the same backup',
      }
    case 'home-lost':
      return {
        message: `${failed.home} was deleted, moved or replaced, so this daemon has stopped; it has changed nothing there`,
        next: 'muster status',
      }
    case 'setting-invalid':
      return { message: failed.problem, next: failed.next }
    case 'postgres':
      return describePostgresFailure(failed.failure)
    case 'migration':
      return describeMigration(failed.failure)
    case 'database-taken':
    case 'connections-pooled':
    case 'lock-unavailable':
      return describeLock(failed)
    case 'database-lost':
    case 'database-foreign':
    case 'database-of-another-home':
    case 'home-of-another-database':
      return describeOwnership(failed)
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

function describeLock(failed: DatabaseLockFailure): FailureWords {
  switch (failed.type) {
    case 'database-taken':
      return {
        message: `another daemon uses this database (${describeHolder(failed.holder)}); two would end each other's sessions`,
        next: 'use that home, or set another MUSTER_DATABASE_URL for this one',
      }
    case 'connections-pooled':
      return {
        message:
          'MUSTER_DATABASE_URL points to a pooler that shares connections between clients, so a lock would not last',
        next: 'point MUSTER_DATABASE_URL at PostgreSQL itself, or set the pooler to session mode',
      }
    case 'lock-unavailable':
      return {
        message: `could not take the database lock: ${failed.problem}`,
        next: 'muster doctor',
      }
    default:
      return assertNever(failed)
  }
}

function describeOwnership(failed: OwnershipFailure | { readonly type: 'database-lost' }): FailureWords {
  switch (failed.type) {
    case 'database-lost':
      return {
        message:
          'this daemon no longer owns its database: the database was replaced, or another daemon has taken it over',
        next: 'muster status',
      }
    case 'database-foreign':
      return {
        message: `the schema "${failed.schema}" of this database belongs to something else; nothing was changed`,
        next: 'create a database for Muster (createdb muster) and set MUSTER_DATABASE_URL to it',
      }
    case 'database-of-another-home':
      return {
        message: `this database belongs to another home (${failed.home}, since ${failed.since.toISOString()}); nothing was changed`,
        next: 'use that home, set another MUSTER_DATABASE_URL, or let this home take over the database: muster serve --adopt-database',
      }
    case 'home-of-another-database':
      return {
        message: `${failed.home} was used with another database, and its agents are only known there; nothing was changed`,
        next: 'set MUSTER_DATABASE_URL as before (unset it for the built-in database), use another home, or give this home a new database: muster serve --adopt-database',
      }
    default:
      return assertNever(failed)
  }
}
