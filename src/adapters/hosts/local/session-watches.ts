import type { FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { HostFiles } from './host-files.ts'
import { lookAtHost } from './look-at-host.ts'
import type { ProcessTable } from './process-table.ts'
import { watchDirectory } from './wait-for-change.ts'

type Needs = { readonly processes: ProcessTable }

type Watch = {
  readonly files: HostFiles
  readonly notify: () => void
  watcher: FSWatcher | undefined
  /** What the last look saw, in one word: a different word is a change that may have gone unnoticed. */
  seen: string
}

const LOOK_INTERVAL_MS = 2_000
const TELLING_FILES: ReadonlySet<string> = new Set(['out', 'err', 'exit'])

/**
 * Tells of changes in session directories: at once by the kernel's watches, and by a slow look at all of them
 * for what watches miss (none left, a host that was killed and wrote nothing).
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
      if (file === null || TELLING_FILES.has(file)) watch.notify()
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

  /** One after the other: a thousand sessions must not crowd out the daemon's other file work. */
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
    // What cannot be looked at is news too: the one who is told meets the error where it can be dealt with.
    const sight = await lookAtHost(this.#needs, files).then(
      (found) => found.type,
      (error: unknown) => String(error),
    )
    return `${sizes.join(' ')} ${sight}`
  }
}

async function sizeOf(path: string): Promise<number> {
  // Whatever keeps a file from being looked at is for its reader to meet, not for the timer.
  return await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
}

/** Many changes in one turn of the event loop are one call. */
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
