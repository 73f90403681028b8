import type { TerminalKind, TerminalRequest } from '../../../ports/terminal-host.ts'
import type { TerminalContainment } from './terminal-needs.ts'
import type { TerminalFiles } from './terminal-record.ts'

/**
 * Runs the program as the terminal's foreground job, so that keys that interrupt and the program's own `kill 0` reach
 * only the program. A job that stops itself is put into the foreground again, because there is no shell to do that. The
 * status goes to descriptor 9. The script is not a file, because a sandbox may hide where Muster is installed.
 */
const INIT_SCRIPT = `
trap : TERM HUP
exec 3>&2 2>/dev/null
set -m
case $- in
  *m*)
    "$@" 2>&3 3>&- 9>&- &
    muster_host_job=$!
    fg >/dev/null
    muster_host_status=$?
    while kill -s 0 "$muster_host_job"; do
      fg >/dev/null
      muster_host_status=$?
    done
    ;;
  *)
    "$@" 2>&3 3>&- 9>&-
    muster_host_status=$?
    ;;
esac
echo "ended $muster_host_status" >&9
exit "$muster_host_status"
`

type Start = {
  readonly method: TerminalContainment
  readonly kind: TerminalKind
  /** The program's file. */
  readonly program: string
  /** How often to look whether the terminal's files are still there. */
  readonly lookMs: number
}

/** The program's environment, plus the variables that the terminal's script reads and then removes. */
export function terminalEnvironment(
  files: TerminalFiles,
  request: TerminalRequest,
  { method, kind, program, lookMs }: Start,
): Readonly<Record<string, string>> {
  const init = ['/bin/sh', '-c', INIT_SCRIPT, 'muster-init']
  const command = [...method.command, ...init, program, ...request.command.slice(1)]
  const numbered = command.map((word, index) => [`MUSTER_TERMINAL_${index + 1}`, word])
  return {
    COLORTERM: 'truecolor',
    ...request.environment,
    ...(kind === 'pty' ? { TERM: 'xterm-256color' } : {}),
    ...Object.fromEntries(numbered),
    MUSTER_TERMINAL_COUNT: String(command.length),
    MUSTER_TERMINAL_DIRECTORY: files.directory,
    MUSTER_TERMINAL_CWD: request.cwd,
    MUSTER_TERMINAL_LOOK: String(lookMs / 1000),
    MUSTER_TERMINAL_NOTE: `${method.containment} ${kind}`,
  }
}
