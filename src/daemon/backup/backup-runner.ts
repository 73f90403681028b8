import type { BackupFailure, BackupState, BackupSummary } from '../../domain/backup/backup-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import type { Change } from '../../ports/store/change.ts'
import { type BackupNeeds, type BackupRequest, makeBackup } from './make-backup.ts'

type Needs = BackupNeeds & {
  readonly log: Log
  /** Stores an audit entry. */
  readonly note: (change: Change) => Promise<void>
}

/** Makes one backup at a time in the background, and knows how the last one went. Disposing waits for its end. */
export class BackupRunner implements AsyncDisposable {
  readonly #needs: Needs
  #state: BackupState = { type: 'none' }
  #running: Promise<void> = Promise.resolve()
  #compacting: Promise<unknown> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  get state(): BackupState {
    return this.#state
  }

  start(request: BackupRequest): Result<BackupState, BackupFailure> {
    if (this.#state.type === 'running') return failure({ type: 'backup-running', file: this.#state.file })
    this.#state = { type: 'running', file: request.file, step: 'records', done: 0, total: 0 }
    this.#running = this.#run(request)
    return success(this.#state)
  }

  /** Runs work during which no hub may be copied. False if a backup is running; one that starts meanwhile waits. */
  async exclude(work: () => Promise<void>): Promise<boolean> {
    if (this.#state.type === 'running') return false
    const working = work()
    this.#compacting = Promise.allSettled([this.#compacting, working])
    await working
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running
  }

  async #run(request: BackupRequest): Promise<void> {
    const { file } = request
    await this.#compacting
    try {
      const made = await makeBackup(this.#needs, request, (step, done, total) => {
        this.#state = { type: 'running', file, step, done, total }
      })
      if (made.ok) await this.#noteBackup(made.value)
      this.#state = made.ok
        ? { type: 'done', summary: made.value }
        : { type: 'failed', failure: made.failure }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#needs.log.error({ problem }, 'a backup failed')
      this.#state = { type: 'failed', failure: { type: 'backup-unwritable', file, problem } }
    }
  }

  /** The file is there, whether or not this works. */
  async #noteBackup({ rows, bytes, hubs, problems }: BackupSummary): Promise<void> {
    const detail = { rows, bytes, hubs, problems: problems.length }
    try {
      await this.#needs.note({ audit: { actor: 'person', action: 'home-backup', subject: 'home', detail } })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#needs.log.error({ problem }, 'a backup was made, but not noted in the audit log')
    }
  }
}
