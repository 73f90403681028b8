import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Surroundings } from '../surroundings.ts'
import type { Pager } from './paged-stream.ts'

type Needs = Pick<Surroundings, 'environment' | 'stdout' | 'stderr' | 'onSignal'>

/** The words of the pager that the person wants; none if output should just be printed. */
export function pagerCommand(environment: Surroundings['environment']): readonly string[] {
  const command = environment['MUSTER_PAGER'] ?? environment['PAGER'] ?? 'less'
  const words = command.split(/\s+/).filter((word) => word !== '')
  return words[0] === 'cat' ? [] : words
}

/** Starts a pager at the terminal; undefined if there is no such program. */
export async function startPager(needs: Needs, words: readonly string[]): Promise<Pager | undefined> {
  const { environment, stdout } = needs
  const [program, ...rest] = words
  if (program === undefined) return undefined
  const child = spawn(program, rest, {
    // As git does: leave at the end of short output, keep colours, and leave the text on the screen.
    env: { LESS: 'FRX', LV: '-c', ...environment },
    stdio: ['pipe', stdout.fd ?? 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  // Awaited only by the one who ends it.
  ended.catch(() => {})
  if (!(await isStarted(child))) return undefined
  child.stdout?.pipe(stdout, { end: false })
  // A person who leaves the pager has read enough. Whoever writes gets the error.
  child.stdin?.on('error', () => {})
  // Ctrl-C is for the pager, which would otherwise be left behind at the terminal.
  const ignored = needs.onSignal('SIGINT', () => {})
  return {
    write: (text, written) => {
      child.stdin?.write(text, written)
    },
    end: async () => {
      child.stdin?.end()
      await ended
      ignored[Symbol.dispose]()
    },
  }
}

async function isStarted(child: ChildProcess): Promise<boolean> {
  return await new Promise((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
}
