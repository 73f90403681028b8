import { existsSync, watch } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A look now and then, for file systems that report nothing and hosts that are out of watches. */
const LOOK_AGAIN_MS = 500

/** True as soon as the file exists, false when it did not come in time. */
export async function waitForFile(file: string, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1_000
  while (!existsSync(file)) {
    const left = deadline - performance.now()
    if (left <= 0) return false
    await nextChange(file, Math.min(left, LOOK_AGAIN_MS))
  }
  return true
}

/** Resolves when something changes where the file, or a folder on the way to it, will appear. */
async function nextChange(file: string, limitMs: number): Promise<void> {
  const stop = new AbortController()
  const changed = new Promise<void>((resolve) => {
    openWatcher(nearestFolder(file), stop.signal, resolve)
    // It may have come between the last look and the watch.
    if (existsSync(file)) resolve()
  })
  await Promise.race([changed, sleep(limitMs, undefined, { signal: stop.signal }).catch(() => undefined)])
  stop.abort()
}

function openWatcher(folder: string, signal: AbortSignal, onChange: () => void): void {
  try {
    watch(folder, { signal }, onChange).on('error', onChange)
  } catch {
    // No watches left or the folder went away: the timer looks again.
  }
}

function nearestFolder(file: string): string {
  let folder = path.dirname(path.resolve(file))
  while (!existsSync(folder)) folder = path.dirname(folder)
  return folder
}
