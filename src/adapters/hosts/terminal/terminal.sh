#!/bin/sh
# Runs between a terminal and its program: claims the terminal, runs the program under its holder and leaves the exit
# status. Its input comes in variables, so that no other parser sees the arguments:
#
#   MUSTER_TERMINAL_DIRECTORY  where its files are         MUSTER_TERMINAL_CWD  where the program runs
#   MUSTER_TERMINAL_NOTE       "<containment> <kind>"      MUSTER_TERMINAL_TMUX  the tmux it is in, if it is
#   MUSTER_TERMINAL_COUNT and _1, _2...  the command
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

muster_host_directory=$MUSTER_TERMINAL_DIRECTORY muster_host_tmux=${MUSTER_TERMINAL_TMUX-}

# Only one script can create this file. Other scripts for the same terminal start nothing.
identify
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
unset TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION OLDPWD

# Interrupts from the keyboard are for the program. A hangup or a termination ends this shell, and with it the holder.
trap : INT QUIT

# The status comes through an open file, because the program's sandbox may hide the directory.
(
  identify
  printf 'holder %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
  exec "$@"
) 9>"$muster_host_directory/end"
muster_host_status=$?

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
