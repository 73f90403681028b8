import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
/** With what the wrapped program ends when a setup command failed; its last words then say which. */
export const SETUP_FAILED = 97

const USUAL_LIMIT_MS = SESSION_LIMITS.setupMinutes * 60_000

/**
 * Constant: what it works on are its arguments, which are the seconds each command may take, how many commands
 * there are, the commands, and the program. Names begin with muster_setup_ so that no variable of the program
 * is changed. A process group of its own would let a command escape from a stop, hence --foreground.
 */
const SCRIPT = `
muster_setup_seconds=$1 muster_setup_left=$2 muster_setup_number=0
shift 2
muster_setup_guard=
! timeout --foreground 9 true 2>/dev/null || muster_setup_guard="timeout --foreground -k 9 $muster_setup_seconds"
while [ "$muster_setup_left" -gt 0 ]; do
  muster_setup_left=$((muster_setup_left - 1)) muster_setup_number=$((muster_setup_number + 1))
  $muster_setup_guard /bin/sh -c "$1" </dev/null >&2
  muster_setup_status=$?
  if [ "$muster_setup_status" -ne 0 ]; then
    printf '\\nmuster: setup command %s failed with status %s\\n' "$muster_setup_number" "$muster_setup_status" >&2
    exit ${SETUP_FAILED}
  fi
  shift
done
exec "$@"
`

/** A command that first runs the setup commands, shell lines of the person's, where it is started. */
export function withSetup(
  command: readonly [string, ...string[]],
  setup: readonly string[],
  limitMs: number = USUAL_LIMIT_MS,
): readonly [string, ...string[]] {
  if (setup.length === 0) return command
  const seconds = Math.max(1, Math.ceil(limitMs / 1_000))
  return [
    '/bin/sh',
    '-c',
    SCRIPT,
    'muster-setup',
    String(seconds),
    String(setup.length),
    ...setup,
    ...command,
  ]
}
