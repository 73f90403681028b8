import { once } from 'node:events'
import type { GlobalOptions } from './global-options.ts'
import { createHint, type Hint } from './hint.ts'
import { isReaderGone } from './reader-gone.ts'
import { createPaint, type Paint, wantsColour } from './render/text/paint.ts'
import { safeJson } from './render/text/safe-text.ts'
import { wrapLine } from './render/text/wrap-line.ts'
import { createShortIds, type ShortIds } from './short-ids.ts'
import type { InputStream, OutputStream, Surroundings } from './surroundings.ts'
import { writeProblem } from './write-problem.ts'

/** What a command prints to. People get lines and programs get JSON values, never both. */
export type Output = {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly paint: Paint
  readonly width: number
  /** A person is at the terminal, so live views and questions make sense. */
  readonly isTerminal: boolean
  /** Prints a line of the result, for people. Ids in it become short. */
  print(line: string): void
  /** The same, but unchanged: what a person decides about, or what is in a file. */
  printExact(line: string): void
  /** The same for text that may be wrapped at the width of the terminal. */
  printProse(line: string): void
  /** Prints a JSON value on its own line, for programs. */
  value(value: unknown): void
  /** Adds the global flags that the person gave to the commands in a text. */
  readonly hint: Hint
  readonly ids: ShortIds
  /** Prints a remark to standard error. */
  note(line: string): void
  /** Aborted when no one reads the output any more. */
  readonly closed: AbortSignal
  /** Whether the output can't be written, for example because the disk is full. */
  isLost(): boolean
  /** Resolves when the reader has caught up. */
  drained(): Promise<void>
}

type Needs = Pick<Surroundings, 'environment' | 'stdin' | 'stdout' | 'stderr'>

const DEFAULT_WIDTH = 100

/** `ids` are shared by all outputs of a command. */
export function createOutput(needs: Needs, options: GlobalOptions, ids: ShortIds = createShortIds()): Output {
  const closed = new AbortController()
  let isLost = false
  needs.stdout.on('error', (error) => {
    isLost ||= writeProblem(error, needs.stdout.isTTY === true) !== undefined
  })
  endWithReader(needs.stdout, closed)
  endWithReader(needs.stderr, closed)
  endWithReader(needs.stdin, closed)
  const printExact = (line: string) => {
    if (!options.json) write(needs.stdout, closed.signal, `${line}\n`)
  }
  return {
    json: options.json,
    quiet: options.quiet,
    verbose: options.verbose,
    paint: createPaint(wantsColour(needs, needs.stdout, options.color)),
    width: needs.stdout.columns ?? DEFAULT_WIDTH,
    isTerminal: isTerminal(needs, options),
    print: (line) => printExact(ids.inText(line)),
    printExact,
    printProse: (line) => {
      for (const part of wrapLine(ids.inText(line), needs.stdout.columns)) printExact(part)
    },
    value: (value) => {
      if (options.json) write(needs.stdout, closed.signal, `${safeJson(value)}\n`)
    },
    hint: createHint(options),
    ids,
    note: (line) => {
      if (options.quiet) return
      for (const part of wrapLine(ids.inText(line), needs.stderr.columns))
        write(needs.stderr, closed.signal, `${part}\n`)
    },
    closed: closed.signal,
    isLost: () => isLost,
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

/**
 * If the reader exits (`| head`) or the terminal closes, the command ends without an error. If output can't be written,
 * the command ends too, and its process reports the error.
 */
function endWithReader(stream: InputStream | OutputStream, closed: AbortController): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isReaderGone(error) && writeProblem(error, false) === undefined) throw error
    closed.abort()
  })
}

async function drained(stream: OutputStream, closed: AbortSignal): Promise<void> {
  if (!stream.writableNeedDrain || closed.aborted) return
  try {
    await once(stream, 'drain', { signal: closed })
  } catch (error) {
    // The reader exited while we waited; the caller checks `closed`.
    if (!closed.aborted) throw error
  }
}
