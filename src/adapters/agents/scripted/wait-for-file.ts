import { existsSync, watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often to check the file system, in case it reports no changes or no watches are left. */
const POLL_MS = 500

/** True as soon as the file exists, or false after the time limit. */
export async function waitForFile(file: string, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1_000
  while (!existsSync(file)) {
    const left = deadline - performance.now()
    if (left <= 0) return false
    await nextChange(file, Math.min(left, POLL_MS))
  }
  return true
}

/** Resolves on a change in the folder where the file, or a folder on the way to it, will appear. */
async function nextChange(file: string, limitMs: number): Promise<void> {
  const stop = new AbortController()
  const changed = new Promise<void>((resolve) => {
    openWatcher(nearestFolder(file), stop.signal, resolve)
    // The file may have appeared between the last check and the watch.
    if (existsSync(file)) resolve()
  })
  await Promise.race([changed, sleep(limitMs, undefined, { signal: stop.signal }).catch(() => undefined)])
  stop.abort()
}

function openWatcher(folder: string, signal: AbortSignal, onChange: () => void): void {
  try {
    watch(folder, { signal }, onChange).on('error', onChange)
  } catch {
    // No watches are left or the folder is gone. The timer checks again.
  }
}

function nearestFolder(file: string): string {
  let folder = path.dirname(path.resolve(file))
  while (!existsSync(folder)) folder = path.dirname(folder)
  return folder
}
