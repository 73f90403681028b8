import { assertNever } from '../domain/assert-never.ts'
import type { ListenFailure } from '../server/create-server.ts'
import type { MigrationFailure } from './compose.ts'
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
  | ListenFailure

/** Exit codes of contract and habit: 3 is a conflict with something running, 5 a daemon that cannot start. */
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
