import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { DEPENDENCY_FOLDERS } from '../../domain/repository/dependency-folders.ts'
import { SETUP_CONTENTS, SETUP_FILES, SETUP_SHOWN } from '../../domain/session/setup-list-paths.ts'
import { SETUP_ENDS, SETUP_STARTS } from '../../domain/session/setup-output.ts'

/** The exit status of the wrapped program when a setup command fails. Its last line of stderr says which one. */
export const SETUP_FAILED = 97

const USUAL_LIMIT_MS = SESSION_LIMITS.setupMinutes * 60_000
/** Reading what setup made must not keep the agent waiting for long. */
const DIGEST_SECONDS = 10
const DIGEST_KILOBYTES = 20_000
/** Collecting leaves out these folders whatever is in them, and they are large. */
const WITHOUT_DEPENDENCIES = [...DEPENDENCY_FOLDERS].map((name) => `-x ${name}/`).join(' ')

/**
 * A constant script. Its arguments are the seconds that each command may take, the number of commands, the commands
 * and the program. Variable names start with muster_setup_ so that none of the program's variables change.
 * `--foreground` keeps a command in the script's process group, so that stopping the session also stops the command.
 *
 * What setup makes is not work. The script hides it from the agent's git, as copies are hidden, so that the agent
 * doesn't commit it by accident, and lists every file as setup left it, so that collecting can tell setup's files from
 * the agent's. Only this script runs between the two. It waits for a moment after that, because a change in the same
 * tick of the clock would leave the file's time as it is. Without the tools for a list there is none, and everything
 * counts as work. The digests of what setup made or changed show that a file is setup's although a tool has written it
 * once more. A pattern is one line, and git cuts a carriage return off its end, so neither can be in it: a class of
 * characters stands for them. A rule of the repository itself outranks such a pattern, so the script also lists what
 * git shows in spite of the patterns.
 *
 * A commit of setup would look like one of the agent's, so it is undone, and so is what setup staged. The files stay as
 * they are, and are then hidden like everything else that setup leaves. Git runs here as setup itself does: in the
 * session, and before the agent. It gets the tree's own repository by name, because it might find another one above.
 */
const SCRIPT = `
muster_setup_find() { find . -name .git -prune -o "$@"; }
muster_setup_paths() { muster_setup_find -print0 | tr '\\n\\r\\000' '\\001\\001\\n'; }
muster_setup_list() {
  [ -d .git/info ] || return 0
  muster_setup_paths | LC_ALL=C awk '
    NR == FNR { before[$0]; next }
    $0 in before || (made != "" && index($0, made "/") == 1) { next }
    { made = $0; path = substr($0, 2); gsub(/[][*?\\\\ ]/, "\\\\\\\\&", path) }
    { gsub(/\\001/, "[[:cntrl:]]", path); print path }
  ' ${SETUP_FILES}.before - >>.git/info/exclude
  muster_setup_git ls-files -z --others --modified --exclude-standard >${SETUP_SHOWN}
  muster_setup_digests >${SETUP_CONTENTS}
  {
    find ${SETUP_FILES}.before -printf 'start %C@\\0'
    muster_setup_find ! -type d -printf '%i %m %C@ %s %P\\0'
  } >${SETUP_FILES}.new && mv -f ${SETUP_FILES}.new ${SETUP_FILES}
  rm -f ${SETUP_FILES}.before ${SETUP_FILES}.new
  sleep 0.02
}
muster_setup_digests() {
  muster_setup_git ls-files -z --others --modified --exclude-per-directory=.gitignore ${WITHOUT_DEPENDENCIES} |
    sed -z 's|^|./|' |
    xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size -${DIGEST_KILOBYTES}k -print0' find |
    timeout ${DIGEST_SECONDS} xargs -0 -r sha256sum -z
}
muster_setup_git() {
  git -c core.hooksPath=/dev/null -c core.fsmonitor=false --git-dir=.git --work-tree=. "$@" </dev/null 2>/dev/null
}
muster_setup_is_moved() {
  [ "$(muster_setup_git rev-parse --verify HEAD)" != "$muster_setup_head" ] ||
    ! muster_setup_git diff-index --cached --quiet "$muster_setup_head" --
}
muster_setup_undo() {
  [ -n "$muster_setup_head" ] && [ -d .git ] && [ ! -L .git ] && muster_setup_is_moved || return 0
  muster_setup_git reset --quiet "$muster_setup_head" -- >&2
  if muster_setup_is_moved; then
    printf '\\nerror: setup must not commit or stage changes, and Muster could not undo it\\n' >&2
    return 1
  fi
  printf '\\nmuster: setup committed or staged changes; Muster undid that and left the files as they are\\n' >&2
}
muster_setup_fail() {
  muster_setup_list 2>/dev/null
  printf '\\nmuster: setup command %s failed with status %s\\n' "$muster_setup_number" "$1" >&2
  exit ${SETUP_FAILED}
}
muster_setup_head=
if [ -d .git/info ]; then
  muster_setup_paths >${SETUP_FILES}.before 2>/dev/null
  muster_setup_head=$(muster_setup_git rev-parse --verify HEAD)
fi
muster_setup_seconds=$1 muster_setup_left=$2 muster_setup_number=0
shift 2
muster_setup_guard=
printf '%s\\n' '${SETUP_STARTS}' >&2
! timeout --foreground 9 true 2>/dev/null || muster_setup_guard="timeout --foreground -k 9 $muster_setup_seconds"
while [ "$muster_setup_left" -gt 0 ]; do
  muster_setup_left=$((muster_setup_left - 1)) muster_setup_number=$((muster_setup_number + 1))
  [ "$muster_setup_number" -eq 1 ] ||
    printf '\\nmuster: setup command %s of %s\\n' "$muster_setup_number" $((muster_setup_number + muster_setup_left)) >&2
  $muster_setup_guard /bin/sh -c "$1" </dev/null >&2
  muster_setup_status=$?
  if [ "$muster_setup_status" -ne 0 ]; then
    muster_setup_undo
    muster_setup_fail "$muster_setup_status"
  fi
  shift
done
muster_setup_undo || muster_setup_fail 1
muster_setup_list 2>/dev/null
printf '\\n%s\\n' '${SETUP_ENDS}' >&2
exec "$@"
`

/** A command that runs the person's setup commands in its directory before the program. */
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
