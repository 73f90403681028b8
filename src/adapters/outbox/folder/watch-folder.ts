import { type FSWatcher, watch } from 'node:fs'

const GATHER_MS = 20

/** Calls back soon after a folder changed, once for many changes. A folder that cannot be watched is silent. */
export function watchFolder(directory: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      onChange()
    }, GATHER_MS)
  }
  const watcher = open(directory, later)
  // What was put there before the watch began is a change nobody would tell of.
  later()
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      watcher?.close()
    },
  }
}

function open(directory: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, onEvent)
    // The folder went away or the system is out of watches: messages are then taken when the session ends.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
