import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's result code if another process holds the lock. */
const SQLITE_BUSY = 5

/**
 * One daemon per home. A kernel lock, taken through SQLite because Node offers no other way. The kernel releases it when
 * the process ends, however it ends, so there are no stale locks. Nothing is stored in it.
 */
export function takeHomeLock(path: string): Disposable | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is written, so the journal needs no file next to the lock.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    chmodSync(path, 0o600)
    return { [Symbol.dispose]: () => lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
