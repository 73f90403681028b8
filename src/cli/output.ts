import { once } from 'node:events'
import type { GlobalOptions } from './global-options.ts'
import { createHint, type Hint } from './hint.ts'
import { isReaderGone } from './reader-gone.ts'
import { createPaint, type Paint, wantsColour } from './render/text/paint.ts'
import { safeJson } from './render/text/safe-text.ts'
import type { InputStream, OutputStream, Surroundings } from './surroundings.ts'

/** Where a command says things. People read lines, programs read values; each is silent for the other. */
export type Output = {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly paint: Paint
  readonly width: number
  /** A person sits before it: live views and questions make sense. */
  readonly isTerminal: boolean
  /** A line of the result for people. */
  print(line: string): void
  /** A JSON value on its own line, for programs. */
  value(value: unknown): void
  /** Puts the global flags the person gave into the commands of a text. */
  readonly hint: Hint
  /** Something by the way, on the error stream. */
  note(line: string): void
  /** Aborted when nobody reads the result any more. */
  readonly closed: AbortSignal
  /** Resolves when the reader has caught up. */
  drained(): Promise<void>
}

type Needs = Pick<Surroundings, 'environment' | 'stdin' | 'stdout' | 'stderr'>

const DEFAULT_WIDTH = 100

export function createOutput(needs: Needs, options: GlobalOptions): Output {
  const closed = new AbortController()
  endWithReader(needs.stdout, closed)
  endWithReader(needs.stderr, closed)
  endWithReader(needs.stdin, closed)
  return {
    json: options.json,
    quiet: options.quiet,
    verbose: options.verbose,
    paint: createPaint(wantsColour(needs, needs.stdout, options.color)),
    width: needs.stdout.columns ?? DEFAULT_WIDTH,
    isTerminal: isTerminal(needs, options),
    print: (line) => {
      if (!options.json) write(needs.stdout, closed.signal, `${line}\n`)
    },
    value: (value) => {
      if (options.json) write(needs.stdout, closed.signal, `${safeJson(value)}\n`)
    },
    hint: createHint(options),
    note: (line) => {
      if (!options.quiet) write(needs.stderr, closed.signal, `${line}\n`)
    },
    closed: closed.signal,
    drained: () => drained(needs.stdout, closed.signal),
  }
}

function isTerminal(needs: Needs, options: GlobalOptions): boolean {
  if (options.json || needs.environment['TERM'] === 'dumb') return false
  return needs.stdout.isTTY === true && needs.stdin.isTTY === true
}

function write(stream: OutputStream, closed: AbortSignal, text: string): void {
  if (!closed.aborted) stream.write(text)
}

/** A reader that went away (`| head`), or a closed terminal, is the end of the command, not a failure of it. */
function endWithReader(stream: InputStream | OutputStream, closed: AbortController): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isReaderGone(error)) throw error
    closed.abort()
  })
}

async function drained(stream: OutputStream, closed: AbortSignal): Promise<void> {
  if (!stream.writableNeedDrain || closed.aborted) return
  try {
    await once(stream, 'drain', { signal: closed })
  } catch (error) {
    // The reader left while we waited for it; the caller sees `closed`.
    if (!closed.aborted) throw error
  }
}
