/** A repository that could not be copied, and why. */
export type BackupProblem = { readonly project: string; readonly problem: string }

export type BackupSummary = {
  readonly file: string
  readonly bytes: number
  readonly rows: number
  readonly hubs: number
  /** What the backup lacks. */
  readonly problems: readonly BackupProblem[]
}

export type BackupFailure =
  | { readonly type: 'backup-running'; readonly file: string }
  | { readonly type: 'backup-file-exists'; readonly file: string }
  | { readonly type: 'backup-unwritable'; readonly file: string; readonly problem: string }
  | {
      readonly type: 'backup-no-space'
      readonly file: string
      readonly freeMb: number
      readonly neededMb: number
    }

export type BackupStep = 'records' | 'repositories'

/** What the daemon's last backup is doing or has become. */
export type BackupState =
  | { readonly type: 'none' }
  | {
      readonly type: 'running'
      readonly file: string
      readonly step: BackupStep
      readonly done: number
      readonly total: number
    }
  | { readonly type: 'done'; readonly summary: BackupSummary }
  | { readonly type: 'failed'; readonly failure: BackupFailure }
