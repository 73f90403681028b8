import type { FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ProcessTable } from '../shared/process-table.ts'
import type { HostFiles } from './host-files.ts'
import { inspectHost } from './inspect-host.ts'
import { watchDirectory } from './wait-for-change.ts'

type Needs = { readonly processes: ProcessTable }

type Watch = {
  readonly files: HostFiles
  readonly notify: () => void
  watcher: FSWatcher | undefined
  /** A summary of the last look. If the next one differs, a change may have gone unnoticed. */
  seen: string
}

const LOOK_INTERVAL_MS = 2_000
const WATCHED_FILES: ReadonlySet<string> = new Set(['out', 'err', 'exit'])

/**
 * Reports changes in session directories. The kernel's watches report most changes at once. A slow look at all sessions
 * finds the others: the system may be out of watches, or a host may have been killed before it wrote anything.
 */
export class SessionWatches {
  readonly #needs: Needs
  readonly #watches = new Set<Watch>()
  #timer: NodeJS.Timeout | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  add(files: HostFiles, onChange: () => void): Disposable {
    const notify = oncePerTurn(() => {
      if (this.#watches.has(watch)) onChange()
    })
    const watch: Watch = { files, notify, watcher: undefined, seen: '' }
    this.#attach(watch)
    this.#watches.add(watch)
    this.#schedule()
    return { [Symbol.dispose]: () => this.#remove(watch) }
  }

  #attach(watch: Watch): void {
    watch.watcher ??= watchDirectory(watch.files.directory, (file) => {
      if (file === null || WATCHED_FILES.has(file)) watch.notify()
    })
  }

  #remove(watch: Watch): void {
    this.#watches.delete(watch)
    watch.watcher?.close()
    if (this.#watches.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      void this.#lookAtAll().finally(() => {
        this.#timer = undefined
        if (this.#watches.size > 0) this.#schedule()
      })
    }, LOOK_INTERVAL_MS).unref()
  }

  /** Looks at one session at a time, so that a thousand sessions don't delay the daemon's other file operations. */
  async #lookAtAll(): Promise<void> {
    for (const watch of [...this.#watches]) {
      const seen = await this.#see(watch.files)
      if (!this.#watches.has(watch)) continue
      this.#attach(watch)
      if (seen === watch.seen) continue
      watch.seen = seen
      watch.notify()
    }
  }

  async #see(files: HostFiles): Promise<string> {
    const sizes = await Promise.all([sizeOf(files.out), sizeOf(files.err)])
    // An error counts as a change too. The caller then gets the same error where it can handle it.
    const snapshot = await inspectHost(this.#needs, files).then(
      (found) => found.type,
      (error: unknown) => String(error),
    )
    return `${sizes.join(' ')} ${snapshot}`
  }
}

async function sizeOf(path: string): Promise<number> {
  // If a file can't be read, its reader reports that.
  return await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
}

/** Combines all changes in one turn of the event loop into one call. */
function oncePerTurn(call: () => void): () => void {
  let isPending = false
  return () => {
    if (isPending) return
    isPending = true
    setImmediate(() => {
      isPending = false
      call()
    })
  }
}
