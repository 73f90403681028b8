import { spawn } from '@lydell/node-pty'
import type { TerminalSize } from '../../../ports/terminal-host.ts'

type PtyRequest = TerminalSize & {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly onData: (bytes: Uint8Array) => void
  /** Called once, unless `hangUp` was called first. */
  readonly onExit: () => void
}

/** A program on a pseudo terminal of this process. Contract: after its end, no method has an effect. */
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
    // Bytes instead of text, because a chunk may end inside a character.
    encoding: null,
  })
  let isFinished = false
  pty.onData((data: unknown) => {
    // Declared as text, but without an encoding it is bytes.
    if (!isFinished) request.onData(data as Uint8Array)
  })
  pty.onExit(() => {
    if (!isFinished) request.onExit()
    isFinished = true
  })
  const unlessClosed = (act: () => void) => {
    if (!isFinished) act()
  }
  return {
    write: (bytes) => unlessClosed(() => pty.write(Buffer.from(bytes) as unknown as string)),
    resize: (size) => unlessClosed(() => tryResize(() => pty.resize(size.columns, size.rows))),
    pause: () => unlessClosed(() => pty.pause()),
    resume: () => unlessClosed(() => pty.resume()),
    hangUp: () =>
      unlessClosed(() => {
        isFinished = true
        pty.kill('SIGHUP')
        // The remaining output must be read, or the end would never be seen.
        pty.resume()
      }),
  }
}

/** The terminal disappears a moment before its end is reported. Resizing then fails, which doesn't matter. */
function tryResize(resize: () => void): void {
  try {
    resize()
  } catch (error) {
    if (!(error instanceof Error && /EBADF|ENOTTY|EINVAL|ioctl/.test(error.message))) throw error
  }
}
