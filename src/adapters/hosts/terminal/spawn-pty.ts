import { spawn } from '@lydell/node-pty'
import type { TerminalSize } from '../../../ports/terminal-host.ts'

type PtyRequest = TerminalSize & {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly onData: (bytes: Uint8Array) => void
  /** Called once, unless `hangUp` was called before. */
  readonly onExit: () => void
}

/** A program on a pseudo terminal that is this process's own. Contract: after its end every method does nothing. */
export interface Pty {
  write(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  pause(): void
  resume(): void
  hangUp(): void
}

export function spawnPty(command: readonly [string, ...string[]], request: PtyRequest): Pty {
  const [program, ...programArguments] = command
  const pty = spawn(program, programArguments, {
    name: 'xterm-256color',
    cols: request.columns,
    rows: request.rows,
    cwd: request.cwd,
    env: { ...request.environment },
    // Bytes as they are: a character may be cut in two.
    encoding: null,
  })
  let isOver = false
  pty.onData((data: unknown) => {
    // The declared type knows only of text; without an encoding it is bytes.
    if (!isOver) request.onData(data as Uint8Array)
  })
  pty.onExit(() => {
    if (!isOver) request.onExit()
    isOver = true
  })
  const unlessOver = (act: () => void) => {
    if (!isOver) act()
  }
  return {
    write: (bytes) => unlessOver(() => pty.write(Buffer.from(bytes) as unknown as string)),
    resize: (size) => unlessOver(() => tryResize(() => pty.resize(size.columns, size.rows))),
    pause: () => unlessOver(() => pty.pause()),
    resume: () => unlessOver(() => pty.resume()),
    hangUp: () =>
      unlessOver(() => {
        isOver = true
        pty.kill('SIGHUP')
        // What it still says is read and dropped, so that its end is seen.
        pty.resume()
      }),
  }
}

/** The terminal is gone a moment before its end is told; a size for it then means nothing. */
function tryResize(resize: () => void): void {
  try {
    resize()
  } catch (error) {
    if (!(error instanceof Error && /EBADF|ENOTTY|EINVAL|ioctl/.test(error.message))) throw error
  }
}
