#!/bin/sh
# The host of one session: it outlives the daemon, keeps the program's output and leaves its exit status.
#
#   host.sh host <directory> <output cap> <containment> <linger> <heartbeat file> <ticks> <tick> <holder command...>
#   host.sh init <directory> <containment> <program...>
#
# `host` is the session leader, outside any namespace. It runs the holder command (in a PID namespace: unshare)
# which ends in `init`, which runs the program. Whatever starts processes here is on the way to the program's
# first line, so builtins do what they can. All names begin with muster_host_: a variable of the program's
# environment that a script assigns to would reach the program changed.

# "<pid> <start>" of the shell that calls it. Start times count from boot, so the boot is part of them.
identify() {
  if read -r muster_host_line 2>/dev/null </proc/self/stat; then
    muster_host_pid=${muster_host_line%% *}
    read -r muster_host_boot </proc/sys/kernel/random/boot_id
    # The name in the second field may hold anything; the fields after its last parenthesis are numbers.
    set -- ${muster_host_line##*) }
    muster_host_identity="$muster_host_pid ${20}@$muster_host_boot"
    return
  fi
  muster_host_pid=$(exec /bin/sh -c 'echo "$PPID"')
  muster_host_identity="$muster_host_pid $(started "$muster_host_pid")"
}

# Without /proc: the time of start in one word.
started() {
  set -- $(LC_ALL=C TZ=UTC /bin/ps -o lstart= -p "$1")
  echo "$1-$2-$3-$4-$5"
}

# Whether process $1 is still the one that started at $2.
is_alive() {
  if [ -r /proc/self/stat ]; then
    read -r muster_host_line 2>/dev/null <"/proc/$1/stat" || return 1
    muster_host_expected=${2%@*}
    set -- ${muster_host_line##*) }
    [ "$1" != Z ] && [ "${20}" = "$muster_host_expected" ]
    return
  fi
  [ "$(started "$1")" = "$2" ]
}

# Sets muster_host_<role> and muster_host_<role>_start for the roles known so far.
read_roles() {
  muster_host_holder='' muster_host_program=''
  while read -r muster_host_role muster_host_pid muster_host_start muster_host_rest; do
    case $muster_host_role in
      holder) muster_host_holder=$muster_host_pid muster_host_holder_start=$muster_host_start ;;
      program) muster_host_program=$muster_host_pid muster_host_program_start=$muster_host_start ;;
    esac
  done <"$muster_host_directory/pid"
}

# Keeps standard input in a spool, every line at once, and from the cap on swallows it: a program that prints
# too much must neither fill the disk nor be stopped. The cap is a limit on what this one cat may write, in the
# 512 bytes that ulimit counts in; ignored, its signal is a mere failure. The mark says that bytes were dropped.
limit() {
  (trap '' XFSZ && ulimit -S -f $((muster_host_cap / 512)) && exec cat >>"$muster_host_directory/$1") && return
  printf '!' >>"$muster_host_directory/truncated.$1"
  cat >/dev/null
}

# Sends the guard home when the output has ended, for a host that was killed cannot. A guard that ended by itself
# may have left its pid to a stranger: only a process of this session is ours.
dismiss_guard() {
  read -r muster_host_line 2>/dev/null <"/proc/$muster_host_guard/stat" || return
  set -- ${muster_host_line##*) }
  [ "$4" != "$$" ] || kill -s TERM "$muster_host_guard"
}

# Sleeps in a subshell that may be told to end: it takes its sleep along, which nobody else might reap. By
# SIGKILL: a sleep that is just being started would still have the subshell's trap, and lose a SIGTERM to it.
nap() {
  muster_host_idle=$!
  trap '[ "$!" = "$muster_host_idle" ] || { kill -s KILL "$!"; wait "$!"; }; exit' TERM
  sleep "$1" &
  wait "$!"
}

# Ends the session when no daemon was heard of for many ticks. It counts ticks rather than comparing clocks:
# a machine that slept, or whose clock jumped, has not been silent.
guard() {
  muster_host_last='' muster_host_silent=0
  while [ "$muster_host_silent" -lt "$muster_host_ticks" ]; do
    nap "$muster_host_tick" || exit
    read_roles || exit
    if [ -z "$muster_host_holder" ]; then
      kill -s 0 "$$" || exit
      continue
    fi
    is_alive "$muster_host_holder" "$muster_host_holder_start" || exit
    muster_host_now=''
    read -r muster_host_now <"$muster_host_beat"
    muster_host_silent=$((muster_host_silent + 1))
    [ "$muster_host_now" = "$muster_host_last" ] || muster_host_silent=0
    muster_host_last=$muster_host_now
  done
  printf 'away\n' >"$muster_host_directory/away"
  if [ "$muster_host_containment" = process-group ]; then
    is_alive "$muster_host_program" "$muster_host_program_start" && kill -s KILL -- "-$muster_host_program"
    return
  fi
  # The namespace's first process, not its holder: the holder then ends only after all others are gone.
  read -r muster_host_init muster_host_rest <"/proc/$muster_host_holder/task/$muster_host_holder/children"
  kill -s KILL "${muster_host_init:-$muster_host_holder}"
}

# Puts the system's own tools first: the program's PATH need not hold any.
use_system_path() {
  PATH="/usr/bin:/bin:${PATH-}"
}

host() {
  muster_host_directory=$1 muster_host_cap=$2 muster_host_containment=$3 muster_host_linger=$4
  muster_host_beat=$5 muster_host_ticks=$6 muster_host_tick=$7
  shift 7

  # Only one host can make this file: the others asked for the same session start nothing.
  identify
  set -C
  printf 'host %s %s\n' "$muster_host_identity" "$muster_host_containment" >"$muster_host_directory/pid" || exit 0
  set +C

  # In most shells a short here-document is a pipe; opened again through /proc it gives its writing end, and
  # no mkfifo has to be started.
  exec 3<<'OUT' 5<<'ERR'
OUT
ERR
  if [ -p /proc/self/fd/3 ] && [ -p /proc/self/fd/5 ]; then
    exec 4>/proc/self/fd/3 6>/proc/self/fd/5
  else
    PATH="/usr/bin:/bin:${PATH-}" mkfifo -m 600 "$muster_host_directory/out.pipe" "$muster_host_directory/err.pipe"
    exec 7<>"$muster_host_directory/out.pipe" 8<>"$muster_host_directory/err.pipe"
    exec 3<"$muster_host_directory/out.pipe" 4>"$muster_host_directory/out.pipe"
    exec 5<"$muster_host_directory/err.pipe" 6>"$muster_host_directory/err.pipe" 7>&- 8>&-
  fi

  # Closed by exec: a redirection of the function itself would keep a writing end for later and see no end.
  (exec 3<&- 4>&- 5<&- 6>&- && use_system_path && guard) &
  muster_host_guard=$!
  (exec <&3 3<&- 4>&- 5<&- 6>&- && use_system_path && limit out) &
  muster_host_out=$!
  (exec <&5 3<&- 4>&- 5<&- 6>&- && use_system_path && limit err; dismiss_guard) &
  muster_host_err=$!

  # In the foreground: what a script starts in the background ignores interrupts, and so would the program.
  (
    identify
    printf 'holder %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
    exec "$@"
  ) >&4 2>&6 3<&- 4>&- 5<&- 6>&-
  muster_host_status=$?

  exec 3<&- 4>&- 5<&- 6>&-
  if [ "$muster_host_containment" = process-group ]; then
    # A process that left the group may hold the output open for ever.
    trap : USR1
    (use_system_path && nap "$muster_host_linger" && kill -s USR1 "$$") &
    wait "$muster_host_out" "$muster_host_err"
    kill -s TERM "$!"
    wait "$!"
  else
    wait "$muster_host_out" "$muster_host_err"
  fi

  # Whatever is left in this process group is our own: the guard, limiters that were cut short.
  trap '' TERM
  kill -s TERM -- "-$$"
  wait

  muster_host_end=''
  read -r muster_host_end <"$muster_host_directory/end"
  case $muster_host_end in
    exited*) ;;
    *) [ ! -s "$muster_host_directory/away" ] || muster_host_end=away ;;
  esac
  # An init that began and left no word was killed; unshare then fails rather than tell the signal.
  if [ -z "$muster_host_end" ]; then
    muster_host_end="unstarted $muster_host_status"
    [ ! -e "$muster_host_directory/death" ] || muster_host_end='signalled 9'
    [ "$muster_host_status" -le 128 ] || muster_host_end="signalled $((muster_host_status - 128))"
  fi
  printf '%s\n' "$muster_host_end" >"$muster_host_directory/exit"
}

init() {
  muster_host_directory=$1 muster_host_containment=$2
  shift 2
  exec 3>&2 2>"$muster_host_directory/death"
  (
    if [ "$muster_host_containment" = process-group ]; then
      identify
      printf 'program %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
    fi
    exec "$@" 2>&3 3>&-
  )
  muster_host_status=$?

  # 143 may be death by a signal or an exit with 143. The shell names a signal on its standard error, save for
  # interrupts and broken pipes; those two are taken for what they nearly always are.
  muster_host_end="exited $muster_host_status"
  if [ "$muster_host_status" -gt 128 ]; then
    case $muster_host_status in
      130 | 141) muster_host_end="signalled $((muster_host_status - 128))" ;;
      *) [ ! -s "$muster_host_directory/death" ] || muster_host_end="signalled $((muster_host_status - 128))" ;;
    esac
  fi
  printf '%s\n' "$muster_host_end" >"$muster_host_directory/end"
  [ "$muster_host_containment" = process-group ] || exit "$muster_host_status"
  read_roles
  kill -s KILL -- "-$muster_host_program"
  exit "$muster_host_status"
}

muster_host_role=$1
shift
case $muster_host_role in
  host) host "$@" ;;
  init) init "$@" ;;
esac
