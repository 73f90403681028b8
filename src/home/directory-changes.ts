import { watch } from 'node:fs'

/** Waits for a file to appear. The pause is for file systems that don't report changes. */
export interface DirectoryChanges extends Disposable {
  /** Resolves at the next change or after `pauseMs`; at once if something changed since the last call. */
  next(pauseMs: number): Promise<void>
}

export function watchDirectory(directory: string): DirectoryChanges {
  let changed = false
  let wake: (() => void) | undefined
  const onChange = () => {
    changed = true
    wake?.()
  }
  const watcher = watch(directory, { persistent: false }, onChange)
  // If the watch fails, the pause remains: waiting is slower, but still correct.
  watcher.on('error', () => watcher.close())
  return {
    async next(pauseMs) {
      const seen = changed
      changed = false
      if (seen) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = undefined
      changed = false
    },
    [Symbol.dispose]: () => watcher.close(),
  }
}
