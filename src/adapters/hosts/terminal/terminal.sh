#!/bin/sh
# Runs between a terminal and its program: claims the terminal, runs the program under its holder and leaves the exit
# status. Its input comes in variables, so that no other parser sees the arguments:
#
#   MUSTER_TERMINAL_DIRECTORY  where its files are         MUSTER_TERMINAL_CWD  where the program runs
#   MUSTER_TERMINAL_NOTE       "<containment> <kind>"      MUSTER_TERMINAL_TMUX  the tmux it is in, if it is
#   MUSTER_TERMINAL_COUNT and _1, _2...  the command       MUSTER_TERMINAL_LOOK  seconds between looks at its files
#
# All other names begin with muster_host_, because a variable that the script assigns would change in the program's
# environment too.

# Sets muster_host_identity to "<pid> <start>" of the calling shell. Start times count from boot, so they include the
# boot id.
identify() {
  if read -r muster_host_line 2>/dev/null </proc/self/stat; then
    muster_host_pid=${muster_host_line%% *}
    read -r muster_host_boot </proc/sys/kernel/random/boot_id
    # The name in the second field may contain anything. The fields after its last parenthesis are numbers.
    set -- ${muster_host_line##*) }
    muster_host_identity="$muster_host_pid ${20}@$muster_host_boot"
    return
  fi
  muster_host_pid=$(exec /bin/sh -c 'echo "$PPID"')
  set -- $(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p "$muster_host_pid")
  muster_host_identity="$muster_host_pid $1-$2-$3-$4-$5"
}

# Whether the terminal's directory is still there and still this script's. The home may have been removed, or replaced by
# another one.
owns_files() {
  read -r muster_host_role muster_host_pid muster_host_start muster_host_rest \
    2>/dev/null <"$muster_host_directory/pid" || return
  [ "$muster_host_role $muster_host_pid $muster_host_start" = "host $muster_host_own" ]
}

# Sleeps in a subshell that may be asked to end. The subshell ends its sleep too, because no one else would. It uses
# SIGKILL, because a sleep that is just starting still has the subshell's trap and would lose a SIGTERM to it.
nap() {
  muster_host_idle=$!
  trap '[ "$!" = "$muster_host_idle" ] || { kill -s KILL "$!"; wait "$!"; }; exit' TERM
  sleep "$1" &
  wait "$!"
}

# Ends the program if the terminal's files are gone twice in a row, because no daemon could ever find it then.
guard() {
  muster_host_blind=0
  while [ "$muster_host_blind" -lt 2 ]; do
    nap "$muster_host_look" || exit
    muster_host_blind=$((muster_host_blind + 1))
    ! owns_files || muster_host_blind=0
  done
  # When the program ends, so does the script, and then this is asked to end too.
  trap '' TERM
  [ "$muster_host_containment" != process-group ] || end_jobs
  # The script, the holder and the guard itself. Every other containment ends with its holder.
  kill -s KILL -- "-$$"
}

# Ends the processes on the terminal that are not in the script's own group.
end_jobs() {
  for muster_host_entry in /proc/[0-9]*; do
    read -r muster_host_line 2>/dev/null <"$muster_host_entry/stat" || continue
    set -- ${muster_host_line##*) }
    [ "$4" != "$$" ] || [ "$3" = "$$" ] || kill -s KILL "${muster_host_entry#/proc/}"
  done
}

# Runs the guard for as long as the script lives, however it ends: then nothing has the pipe open for writing any more.
watch() {
  guard &
  read -r muster_host_rest
  kill -s TERM "$!"
  wait
}

muster_host_directory=$MUSTER_TERMINAL_DIRECTORY muster_host_tmux=${MUSTER_TERMINAL_TMUX-}
muster_host_look=$MUSTER_TERMINAL_LOOK muster_host_containment=${MUSTER_TERMINAL_NOTE%% *}
# The system's own tools come first, because the program's PATH may have none.
muster_host_path="/usr/bin:/bin:${PATH-}"

# Only one script can create this file. Other scripts for the same terminal start nothing.
identify
muster_host_own=$muster_host_identity
set -C
printf 'host %s %s\n' "$muster_host_identity" "$MUSTER_TERMINAL_NOTE" >"$muster_host_directory/pid" || exit 0
set +C

cd -- "$MUSTER_TERMINAL_CWD" || exit 1
set --
muster_host_index=0
while [ "$muster_host_index" -lt "$MUSTER_TERMINAL_COUNT" ]; do
  muster_host_index=$((muster_host_index + 1))
  eval "set -- \"\$@\" \"\$MUSTER_TERMINAL_$muster_host_index\"; unset MUSTER_TERMINAL_$muster_host_index"
done
unset MUSTER_TERMINAL_DIRECTORY MUSTER_TERMINAL_CWD MUSTER_TERMINAL_NOTE MUSTER_TERMINAL_TMUX MUSTER_TERMINAL_COUNT
unset MUSTER_TERMINAL_LOOK
unset TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION OLDPWD

# Interrupts from the keyboard are for the program. A hangup or a termination ends this shell, and with it the holder.
trap : INT QUIT

# The guard must not keep the terminal open, or its end would not be seen.
PATH=$muster_host_path mkfifo -m 600 "$muster_host_directory/life"
exec 8<>"$muster_host_directory/life"
exec 7<"$muster_host_directory/life"
(exec <&7 >/dev/null 2>&1 7<&- 8>&- && PATH=$muster_host_path && watch) &
muster_host_watch=$!
exec 7<&-

# The status comes through an open file, because the program's sandbox may hide the directory.
(
  identify
  printf 'holder %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
  exec "$@"
) 8>&- 9>"$muster_host_directory/end"
muster_host_status=$?
exec 8>&-
wait "$muster_host_watch"
owns_files || exit

# The screen disappears when this shell ends, so it is saved first.
if [ -n "$muster_host_tmux" ]; then
  (cd -- "$muster_host_directory" && exec "$muster_host_tmux" -S ./tmux -u capture-pane -p -t =muster:) \
    </dev/null >"$muster_host_directory/screen" 2>/dev/null
fi

muster_host_end=''
read -r muster_host_end <"$muster_host_directory/end"
# An empty file means that the first process of the namespace was killed or never began.
[ -n "$muster_host_end" ] || muster_host_end="unsaid $muster_host_status"
printf '%s\n' "$muster_host_end" >"$muster_host_directory/exit"
