import type { TerminalViewer, ViewerRequest } from '../../../ports/terminal-host.ts'
import { spawnPty } from './spawn-pty.ts'
import { TMUX_ARGUMENTS, TMUX_ENVIRONMENT, type Tmux } from './tmux.ts'
import { TARGET } from './tmux-terminal.ts'

/**
 * A viewer is a tmux client on a pseudo terminal of ours: tmux draws the screen for its size, and for one that
 * reads slowly leaves out what would only be scrolled away.
 */
export function connectTmux(tmux: Tmux, directory: string, request: ViewerRequest): TerminalViewer {
  const { columns, rows, readOnly, onData, onEnd } = request
  const mode = readOnly ? ['-r'] : []
  const pty = spawnPty([tmux.program, ...TMUX_ARGUMENTS, 'attach-session', ...mode, '-t', TARGET], {
    columns,
    rows,
    cwd: directory,
    environment: TMUX_ENVIRONMENT,
    onData,
    onExit: () => onEnd({ type: 'terminal-end' }),
  })
  return {
    write: (bytes) => {
      if (!readOnly) pty.write(bytes)
    },
    resize: (size) => pty.resize(size),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    [Symbol.dispose]: () => pty.hangUp(),
  }
}
