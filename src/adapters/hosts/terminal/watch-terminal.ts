import { type FSWatcher, watch } from 'node:fs'
import type { TerminalSight } from '../../../ports/terminal-host.ts'
import type { TerminalFiles } from './terminal-files.ts'

/** For ends that leave no file: a terminal that was killed with all it had. */
const LOOK_MS = 2_000

/** Tells of a terminal's end: at once by the file it leaves, and by a slow look for what leaves none. */
export function watchTerminal(
  files: TerminalFiles,
  look: () => Promise<TerminalSight>,
  onChange: () => void,
): Disposable {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(files.directory, { persistent: false }, onChange)
    watcher.on('error', () => undefined)
  } catch {
    // Not there yet, or no watches left: the slow look sees it too.
  }
  const timer = setInterval(() => {
    look()
      .then((sight) => {
        if (sight.type !== 'running') onChange()
      })
      .catch(onChange)
  }, LOOK_MS).unref()
  return {
    [Symbol.dispose]() {
      watcher?.close()
      clearInterval(timer)
    },
  }
}
