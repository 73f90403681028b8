import type { TerminalKind, TerminalRequest } from '../../../ports/terminal-host.ts'
import { INIT_SCRIPT } from './init-script.ts'
import type { TerminalFiles } from './terminal-files.ts'
import type { TerminalHolding } from './terminal-needs.ts'

/** The program's environment, and in it what the terminal's script reads and takes away again. */
export function terminalEnvironment(
  files: TerminalFiles,
  request: TerminalRequest,
  holding: TerminalHolding,
  kind: TerminalKind,
  program: string,
): Readonly<Record<string, string>> {
  const init = ['/bin/sh', '-c', INIT_SCRIPT, 'muster-init']
  const command = [...holding.command, ...init, program, ...request.command.slice(1)]
  const numbered = command.map((word, index) => [`MUSTER_TERMINAL_${index + 1}`, word])
  return {
    COLORTERM: 'truecolor',
    ...request.environment,
    ...(kind === 'pty' ? { TERM: 'xterm-256color' } : {}),
    ...Object.fromEntries(numbered),
    MUSTER_TERMINAL_COUNT: String(command.length),
    MUSTER_TERMINAL_DIRECTORY: files.directory,
    MUSTER_TERMINAL_CWD: request.cwd,
    MUSTER_TERMINAL_NOTE: `${holding.containment} ${kind}`,
  }
}
