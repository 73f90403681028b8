#!/bin/sh
# The host of one session: it outlives the daemon, keeps the program's output and leaves its exit status.
#
#   host.sh host <directory> <output cap> <containment> <linger> <heartbeat file> <ticks> <tick> \
#     <input: yes or no> <memory in KiB or 0> <tasks or 0> <holder command...>
#   host.sh init <directory> <containment> <program...>
#
# `host` is the session leader, outside any namespace. It runs the holder command (bwrap, or in a PID namespace
# unshare) which ends in `init`, which runs the program. In a sandbox `init` sees no file of the session: what it
# has to say goes to descriptors that were opened outside. Whatever starts processes here is on the way to the
# program's first line, so builtins do what they can. All names begin with muster_host_: a variable of the
# program's environment that a script assigns to would reach the program changed.

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

# Gives the program what is written for it, and waits at the bell for more. The mark of the end is looked for
# before the last reading: all that was written before it is read after it. When nobody is left who could hold
# the bell, the host and the program are gone, and reading it says so.
feed() {
  exec 3<"$muster_host_directory/bell" 9>&-
  while :; do
    muster_host_last=no
    [ ! -e "$muster_host_directory/in.end" ] || muster_host_last=yes
    cat || exit
    [ "$muster_host_last" = no ] || exit
    read -r muster_host_ring <&3 || exit
  done
}

# Sends the watchmen home when the output has ended, for a host that was killed cannot. One that ended by itself
# may have left its pid to a stranger: only a process of this session is ours.
dismiss() {
  for muster_host_watchman in $muster_host_watchmen; do
    read -r muster_host_line 2>/dev/null <"/proc/$muster_host_watchman/stat" || continue
    set -- ${muster_host_line##*) }
    [ "$4" != "$$" ] || kill -s TERM "$muster_host_watchman"
  done
}

# Sleeps in a subshell that may be told to end: it takes its sleep along, which nobody else might reap. By
# SIGKILL: a sleep that is just being started would still have the subshell's trap, and lose a SIGTERM to it.
nap() {
  muster_host_idle=$!
  trap '[ "$!" = "$muster_host_idle" ] || { kill -s KILL "$!"; wait "$!"; }; exit' TERM
  sleep "$1" &
  wait "$!"
}

# Whether there is a holder yet; a watchman has nothing to do any more when it, or a host without one, is gone.
find_holder() {
  read_roles || exit
  if [ -z "$muster_host_holder" ]; then
    kill -s 0 "$$" || exit
    return 1
  fi
  is_alive "$muster_host_holder" "$muster_host_holder_start" || exit
}

# Ends the session when no daemon was heard of for many ticks. It counts ticks rather than comparing clocks:
# a machine that slept, or whose clock jumped, has not been silent.
guard() {
  muster_host_last='' muster_host_silent=0
  while [ "$muster_host_silent" -lt "$muster_host_ticks" ]; do
    nap "$muster_host_tick" || exit
    find_holder || continue
    muster_host_now=''
    read -r muster_host_now <"$muster_host_beat"
    muster_host_silent=$((muster_host_silent + 1))
    [ "$muster_host_now" = "$muster_host_last" ] || muster_host_silent=0
    muster_host_last=$muster_host_now
  done
  end_session away
}

# Ends the session and leaves word why.
end_session() {
  printf '%s\n' "$1" >"$muster_host_directory/why"
  if [ "$muster_host_containment" = process-group ]; then
    is_alive "$muster_host_program" "$muster_host_program_start" && kill -s KILL -- "-$muster_host_program"
    return
  fi
  # The namespace's first process, not its holder: the holder then ends only after all others are gone.
  read -r muster_host_init muster_host_rest <"/proc/$muster_host_holder/task/$muster_host_holder/children"
  kill -s KILL "${muster_host_init:-$muster_host_holder}"
}

# Sets muster_host_pages and muster_host_tasks: what process $1 and its descendants use. Pages shared with others
# are left out: most are the text of programs, there once however many run it.
measure() {
  muster_host_pages=0 muster_host_tasks=0 muster_host_next=$1
  while [ -n "$muster_host_next" ]; do
    set -- $muster_host_next
    muster_host_next=''
    for muster_host_pid in "$@"; do
      read -r muster_host_rest muster_host_resident muster_host_shared muster_host_rest \
        2>/dev/null <"/proc/$muster_host_pid/statm" || continue
      muster_host_pages=$((muster_host_pages + muster_host_resident - muster_host_shared))
      # Every thread has its own list of children.
      for muster_host_file in "/proc/$muster_host_pid/task/"*/children; do
        muster_host_tasks=$((muster_host_tasks + 1)) muster_host_children=''
        read -r muster_host_children 2>/dev/null <"$muster_host_file"
        muster_host_next="$muster_host_next${muster_host_children:+ $muster_host_children}"
      done
    done
  done
}

# Ends a session that takes more than it may. Limits of the kernel do not fit: those of a process count what is
# reserved, which with the runtimes of today is everything, and a control group must be given by the system.
ration() {
  muster_host_page=$(getconf PAGESIZE) || muster_host_page=4096
  muster_host_page=$((muster_host_page / 1024))
  [ "$muster_host_memory" -gt 0 ] || muster_host_memory=999999999999
  [ "$muster_host_most_tasks" -gt 0 ] || muster_host_most_tasks=999999999999
  while nap 1; do
    find_holder || continue
    measure "$muster_host_holder"
    [ $((muster_host_pages * muster_host_page)) -le "$muster_host_memory" ] || { end_session memory && exit; }
    [ "$muster_host_tasks" -le "$muster_host_most_tasks" ] || { end_session processes && exit; }
  done
}

host() {
  muster_host_directory=$1 muster_host_cap=$2 muster_host_containment=$3 muster_host_linger=$4
  muster_host_beat=$5 muster_host_ticks=$6 muster_host_tick=$7
  muster_host_input=$8 muster_host_memory=$9 muster_host_most_tasks=${10}
  shift 10
  # The system's own tools first: the program's PATH need not hold any.
  muster_host_path="/usr/bin:/bin:${PATH-}"

  # Only one host can make this file: the others asked for the same session start nothing.
  identify
  set -C
  printf 'host %s %s\n' "$muster_host_identity" "$muster_host_containment" >"$muster_host_directory/pid" || exit 0
  set +C

  # In most shells a short here-document is a pipe, and /proc gives its writing end: no mkfifo to be started.
  exec 3<<'OUT' 5<<'ERR'
OUT
ERR
  if [ -p /proc/self/fd/3 ] && [ -p /proc/self/fd/5 ]; then
    exec 4>/proc/self/fd/3 6>/proc/self/fd/5
  else
    PATH=$muster_host_path mkfifo -m 600 "$muster_host_directory/out.pipe" "$muster_host_directory/err.pipe"
    exec 7<>"$muster_host_directory/out.pipe" 8<>"$muster_host_directory/err.pipe"
    exec 3<"$muster_host_directory/out.pipe" 4>"$muster_host_directory/out.pipe"
    exec 5<"$muster_host_directory/err.pipe" 6>"$muster_host_directory/err.pipe" 7>&- 8>&-
  fi

  # Closed by exec: a redirection of the function itself would keep a writing end for later and see no end.
  exec 7<&0 8>&- 9>&-
  if [ "$muster_host_input" = yes ]; then
    PATH=$muster_host_path mkfifo -m 600 "$muster_host_directory/in.pipe" "$muster_host_directory/bell"
    : >>"$muster_host_directory/in"
    exec 9<>"$muster_host_directory/in.pipe"
    exec 7<"$muster_host_directory/in.pipe" 8>"$muster_host_directory/in.pipe" 9<>"$muster_host_directory/bell"
    (exec <"$muster_host_directory/in" >&8 3<&- 4>&- 5<&- 6>&- 7<&- 8>&- && PATH=$muster_host_path && feed) &
    exec 8>&-
  fi
  (exec 3<&- 4>&- 5<&- 6>&- 7<&- 9>&- && PATH=$muster_host_path && guard) &
  muster_host_watchmen=$!
  if [ "$muster_host_memory$muster_host_most_tasks" != 00 ]; then
    (exec 3<&- 4>&- 5<&- 6>&- 7<&- 9>&- && PATH=$muster_host_path && ration) &
    muster_host_watchmen="$muster_host_watchmen $!"
  fi
  (exec <&3 3<&- 4>&- 5<&- 6>&- 7<&- 9>&- && PATH=$muster_host_path && limit out) &
  muster_host_out=$!
  # The last to go where the host was killed, and so the one that keeps the bell.
  (exec <&5 3<&- 4>&- 5<&- 6>&- 7<&- && PATH=$muster_host_path && limit err; dismiss) &
  muster_host_err=$!

  # In the foreground: what a script starts in the background ignores interrupts, and so would the program. When
  # the machine is out of memory, agents go before the daemon and its database.
  (
    identify
    printf 'holder %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
    printf 500 2>/dev/null >/proc/self/oom_score_adj
    exec "$@"
  ) <&7 >&4 2>&6 3<&- 4>&- 5<&- 6>&- 7<&- 8>>"$muster_host_directory/end" 9>"$muster_host_directory/death"
  muster_host_status=$?

  exec 3<&- 4>&- 5<&- 6>&- 7<&-
  if [ "$muster_host_containment" = process-group ]; then
    # A process that left the group may hold the output open for ever.
    trap : USR1
    (PATH=$muster_host_path && nap "$muster_host_linger" && kill -s USR1 "$$") &
    wait "$muster_host_out" "$muster_host_err"
    kill -s TERM "$!"
    wait "$!"
  else
    wait "$muster_host_out" "$muster_host_err"
  fi

  # Whatever is left in this process group is our own: the watchmen, the feeder, limiters that were cut short.
  trap '' TERM
  kill -s TERM -- "-$$"
  wait

  judge
  printf '%s\n' "$muster_host_end" >"$muster_host_directory/exit"
}

# Sets muster_host_end. In a namespace the holder's status is the program's own, and nothing that the program could
# reach is asked; a status above 128 is then taken for the signal that shells mean by it.
judge() {
  muster_host_begun='' muster_host_why=''
  [ ! -s "$muster_host_directory/why" ] || read -r muster_host_why <"$muster_host_directory/why"
  if [ "$muster_host_containment" = process-group ]; then
    judge_group
    return
  fi
  read -r muster_host_begun <"$muster_host_directory/end"
  muster_host_end="exited $muster_host_status"
  [ "$muster_host_status" -le 128 ] || muster_host_end="signalled $((muster_host_status - 128))"
  [ -n "$muster_host_begun" ] || muster_host_end="unstarted $muster_host_status"
  muster_host_end=${muster_host_why:-$muster_host_end}
}

# The same from what `init` left beside a process group: a line when it began and one with the program's status.
judge_group() {
  muster_host_code=''
  { read -r muster_host_begun; read -r muster_host_code; } <"$muster_host_directory/end"
  if [ -z "$muster_host_code" ]; then
    # An init that began and left no word was killed; its holder then may fail rather than tell the signal.
    muster_host_end="unstarted $muster_host_status"
    [ -z "$muster_host_begun" ] || muster_host_end='signalled 9'
    [ "$muster_host_status" -le 128 ] || muster_host_end="signalled $((muster_host_status - 128))"
    muster_host_end=${muster_host_why:-$muster_host_end}
    return
  fi
  muster_host_end="exited $muster_host_code"
  [ "$muster_host_code" -gt 128 ] || return
  # 143 may be death by a signal or an exit with 143. The shell names a signal on its standard error, save for
  # interrupts and broken pipes; those two are taken for what they nearly always are.
  case $muster_host_code in
    130 | 141) muster_host_end="signalled $((muster_host_code - 128))" ;;
    *) [ ! -s "$muster_host_directory/death" ] || muster_host_end="signalled $((muster_host_code - 128))" ;;
  esac
  case $muster_host_end in
    signalled*) muster_host_end=${muster_host_why:-$muster_host_end} ;;
  esac
}

init() {
  muster_host_directory=$1 muster_host_containment=$2
  shift 2
  printf 'begun\n' >&8
  if [ "$muster_host_containment" != process-group ]; then
    # The program can open what this process has open: nothing of ours may be among it.
    exec 3>&2 2>/dev/null 8>&- 9>&-
    (exec "$@" 2>&3 3>&-)
    exit
  fi
  exec 3>&2 2>&9 9>&-
  (
    identify
    printf 'program %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
    exec "$@" 2>&3 3>&- 8>&-
  )
  muster_host_status=$?
  printf '%s\n' "$muster_host_status" >&8
  exec 2>/dev/null
  read_roles
  kill -s KILL -- "-$muster_host_program"
  exit "$muster_host_status"
}

"$@"
