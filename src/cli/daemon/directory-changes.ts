import { watch } from 'node:fs'

/** Wakes whoever waits for a file to appear; the pause is a net for file systems that do not report changes. */
export interface DirectoryChanges extends Disposable {
  /** Resolves at the next change, or after `pauseMs`. A change since the last call counts. */
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
  // A watch that ends is replaced by the pause: waiting gets slower, never wrong.
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
