import { assertNever } from '../../domain/assert-never.ts'
import type { FailureWords } from '../postgres/embedded-postgres-failure.ts'
import { describePostgresFailure } from '../postgres/postgres-failure.ts'
import type { RestoreFailure } from './restore-home.ts'

export type RestoreWords = FailureWords & { readonly type: RestoreFailure['type'] }

const ANOTHER_FILE = 'muster restore ANOTHER-FILE'

/** Explains to a person why a backup wasn't restored, and what to try. */
export function describeRestoreFailure(failed: RestoreFailure): RestoreWords {
  return { type: failed.type, ...wordsOf(failed) }
}

function wordsOf(failed: RestoreFailure): FailureWords {
  switch (failed.type) {
    case 'backup-unreadable':
      return {
        message: `${failed.file} cannot be read: ${failed.problem}. Nothing was changed.`,
        next: ANOTHER_FILE,
      }
    case 'backup-damaged':
      return {
        message: `${failed.file} is damaged: its part ${failed.part} doesn't match its hash. Nothing was changed.`,
        next: ANOTHER_FILE,
      }
    case 'schema-newer':
      return {
        message: `a newer Muster made this backup (${failed.found}; this one knows ${failed.known})`,
        next: 'npm install -g muster@latest',
      }
    case 'database-in-use':
      return {
        message: "the configured database already contains Muster's records. Nothing was changed.",
        next: 'set MUSTER_DATABASE_URL to an empty database, or unset it to use the built-in one',
      }
    case 'home-taken':
      return { message: `a daemon is running in ${failed.home}`, next: 'muster shutdown, then restore again' }
    case 'home-not-empty':
      return {
        message: `${failed.home} is not empty, and a restore never overwrites anything`,
        next: 'muster --home ANOTHER-DIRECTORY restore FILE, or add --force to move this home aside first',
      }
    case 'database-running':
      return {
        message: `the database of ${failed.home} is still running (process ${failed.pid})`,
        next: 'muster shutdown, then restore again',
      }
    case 'restore-failed':
      return {
        message: `${failed.home} could not be restored: ${failed.problem}. What was there before is unchanged.`,
        next: 'muster doctor',
      }
    case 'postgres':
      return describePostgresFailure(failed.failure)
    default:
      return assertNever(failed)
  }
}
