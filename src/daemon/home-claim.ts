import { type FSWatcher, statSync, watch } from 'node:fs'
import { DAEMON_PERIODS } from '../domain/limits/daemon-periods.ts'
import type { Home } from './home-files.ts'
import { takeHomeLock } from './home-lock.ts'

/**
 * This process's claim to be the only daemon of a home, for as long as it runs. The lock belongs to a file, so someone
 * who deletes or moves the home and creates a new one gets another lock. From then on, this process must not touch
 * anything: the same paths lead to files that aren't its own.
 */
export class HomeClaim implements Disposable {
  readonly #home: Home
  readonly #lock: Disposable
  readonly #file: string
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined
  #onLost: () => void = () => undefined

  private constructor(home: Home, lock: Disposable) {
    this.#home = home
    this.#lock = lock
    this.#file = fileAt(home.lock) ?? ''
  }

  /** Undefined if another process has the home. */
  static take(home: Home): HomeClaim | undefined {
    const lock = takeHomeLock(home.lock)
    return lock === undefined ? undefined : new HomeClaim(home, lock)
  }

  /** Whether the home's path still leads to the lock that this process holds. Costs one look at the file. */
  isOurs(): boolean {
    return fileAt(this.#home.lock) === this.#file
  }

  /** Throws if the home isn't ours any more, after reporting it. */
  require(): void {
    if (this.isOurs()) return
    this.#onLost()
    throw new Error(`${this.#home.directory} no longer belongs to this daemon`)
  }

  /** Notices a loss even while nothing else happens. A home whose folders are being deleted is lost, too. */
  watch(onLost: () => void): void {
    this.#onLost = onLost
    const look = () => {
      if (!this.isOurs() || this.#hasLostFolders()) onLost()
    }
    this.#timer = setInterval(look, DAEMON_PERIODS.homeCheckMs).unref()
    try {
      this.#watcher = watch(this.#home.directory, { persistent: false }, look)
      this.#watcher.on('error', () => undefined)
    } catch {
      // The system has no watch left; the timer remains.
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#watcher?.close()
    this.#lock[Symbol.dispose]()
  }

  #hasLostFolders(): boolean {
    const { hubs, trees, hosts } = this.#home
    return [hubs, trees, hosts].some((folder) => fileAt(folder) === undefined)
  }
}

/** The lock is kept open, so no other file can get its number. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
