import { stripVTControlCharacters } from 'node:util'
import type { TerminalSize, TerminalViewer, ViewerEnd, ViewerRequest } from '../../../ports/terminal-host.ts'
import { BracketedPaste } from './bracketed-paste.ts'
import { type Pty, spawnPty } from './spawn-pty.ts'

type OwnedRequest = TerminalSize & {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly onExit: () => void
}

/** Kept for later viewers. Enough for programs that redraw their screen now and then. */
const BACKLOG_BYTES = 256 * 1024
/** How much output a paused viewer may miss before it is disconnected. */
const MISSED_BYTES = 1024 * 1024

/** A terminal that belongs to this process and ends with it, for machines without tmux. */
export class OwnedTerminal {
  readonly #pty: Pty
  readonly #backlog = new RecentOutput(BACKLOG_BYTES)
  readonly #viewers = new Set<OwnedViewer>()
  readonly #pasting = new BracketedPaste()
  #rows: number

  constructor(request: OwnedRequest) {
    this.#rows = request.rows
    const { command, onExit, ...rest } = request
    this.#pty = spawnPty(command, {
      ...rest,
      onData: (bytes) => this.#spread(bytes),
      onExit: () => {
        this.#release()
        onExit()
      },
    })
  }

  /** Text that is pasted is marked as such if the program has asked for that. */
  type(text: string, isPasted: boolean): void {
    this.#pty.write(new TextEncoder().encode(isPasted ? this.#pasting.mark(text) : text))
  }

  resize(size: TerminalSize): void {
    this.#rows = size.rows
    this.#pty.resize(size)
  }

  /** The last lines of the output. Without an emulator, this only resembles the screen of a full-screen program. */
  screen(): string {
    const text = stripVTControlCharacters(new TextDecoder().decode(this.#backlog.peek()))
    const lines = text.replaceAll('\r', '').split('\n')
    return `${lines.slice(-this.#rows).join('\n').trimEnd()}\n`
  }

  connect(request: ViewerRequest): TerminalViewer {
    const viewer = new OwnedViewer(request, () => this.#viewers.delete(viewer))
    this.#viewers.add(viewer)
    viewer.show(this.#backlog.peek())
    const mayWrite = !request.readOnly
    if (mayWrite) this.resize(request)
    return {
      write: (bytes) => {
        if (mayWrite) this.#pty.write(bytes)
      },
      resize: (size) => {
        if (mayWrite) this.resize(size)
      },
      pause: () => viewer.pause(),
      resume: () => viewer.resume(),
      [Symbol.dispose]: () => this.#viewers.delete(viewer),
    }
  }

  hangUp(): void {
    this.#pty.hangUp()
    this.#release()
  }

  #spread(bytes: Uint8Array): void {
    this.#backlog.push(bytes)
    this.#pasting.read(bytes)
    for (const viewer of this.#viewers) viewer.show(bytes)
  }

  #release(): void {
    const viewers = [...this.#viewers]
    this.#viewers.clear()
    for (const viewer of viewers) viewer.end({ type: 'terminal-end' })
  }
}

/** One viewer. While it is paused, the output that it misses is kept, up to a limit. */
class OwnedViewer {
  readonly #request: ViewerRequest
  readonly #leave: () => void
  readonly #missed = new RecentOutput(MISSED_BYTES)
  #isPaused = false as boolean

  constructor(request: ViewerRequest, leave: () => void) {
    this.#request = request
    this.#leave = leave
  }

  show(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (!this.#isPaused) {
      this.#request.onData(bytes)
      return
    }
    this.#missed.push(bytes)
    if (this.#missed.size < MISSED_BYTES) return
    this.#leave()
    this.end({ type: 'too-slow' })
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.show(this.#missed.take())
  }

  end(end: ViewerEnd): void {
    this.#request.onEnd(end)
  }
}

/** The last bytes of an output, up to a limit. */
class RecentOutput {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes.length > this.#limit ? bytes.slice(-this.#limit) : bytes)
    this.#size += this.#chunks.at(-1)?.length ?? 0
    while (this.#size > this.#limit) this.#size -= this.#chunks.shift()?.length ?? 0
  }

  /** Returns everything that is kept, and forgets it. */
  take(): Uint8Array {
    const all = this.peek()
    this.#chunks = []
    this.#size = 0
    return all
  }

  peek(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
