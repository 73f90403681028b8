import { type FSWatcher, watch } from 'node:fs'

type WaitOptions<Found> = {
  readonly directory: string
  readonly timeoutMs: number
  /** The longest time between two looks, which limits how late a change outside the directory is seen. */
  readonly intervalMs: number
  readonly inspect: () => Promise<Found | undefined>
}

/** Calls `inspect` whenever the directory changes, until it returns something or the time is up. */
export async function waitForChange<Found>(options: WaitOptions<Found>): Promise<Found | undefined> {
  const deadline = performance.now() + options.timeoutMs
  let wake = () => {}
  const watcher = watchDirectory(options.directory, () => wake())
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const changed = new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, Math.max(1, Math.min(options.intervalMs, deadline - performance.now())))
      })
      try {
        const found = await options.inspect()
        if (found !== undefined) return found
        if (performance.now() >= deadline) return undefined
        await changed
      } finally {
        clearTimeout(timer)
      }
    }
  } finally {
    watcher?.close()
  }
}

/** Undefined if the directory doesn't exist or the system is out of watches. Then only the intervals find changes. */
export function watchDirectory(
  directory: string,
  onChange: (file: string | null) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(directory, (_, file) => onChange(file))
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
