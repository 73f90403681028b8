#!/bin/sh
# The host of one session. It outlives the daemon, keeps the program's output and leaves its exit status.
#
#   host.sh host <directory> <output cap> <containment> <linger> <heartbeat file> <away in ms> <longest nap in ms> \
#     <input: yes or no> <memory in KiB or 0> <tasks or 0> <holder command...>
#   host.sh init <directory> <containment> <program...>
#
# `host` is the session leader, outside any namespace. It runs the holder command (bwrap, or unshare for a PID
# namespace), which runs `init`, which runs the program. In a sandbox, `init` can't see the session's files, so it
# writes to descriptors that were opened outside. Every process that this script starts delays the program's first
# line, so it uses builtins where it can. All names begin with muster_host_, because a variable that the script
# assigns would change in the program's environment too.

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
  muster_host_identity="$muster_host_pid $(started "$muster_host_pid")"
}

# The start time in one word, on systems without /proc.
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

# Sets muster_host_<role> and muster_host_<role>_start from the lines of the PID file on standard input.
read_roles() {
  while read -r muster_host_role muster_host_pid muster_host_start muster_host_rest; do
    case $muster_host_role in
      holder) muster_host_holder=$muster_host_pid muster_host_holder_start=$muster_host_start ;;
      program) muster_host_program=$muster_host_pid muster_host_program_start=$muster_host_start ;;
    esac
  done
}

# Whether the session's directory is still there and still this host's. The home may have been removed, or replaced by
# another one.
owns_files() {
  read -r muster_host_role muster_host_pid muster_host_start muster_host_rest \
    2>/dev/null <"$muster_host_directory/pid" || return
  [ "$muster_host_role $muster_host_pid $muster_host_start" = "host $muster_host_own" ]
}

# Whether process $1 is alive and part of this host. Its PID may belong to another process by now.
is_ours() {
  read -r muster_host_line 2>/dev/null <"/proc/$1/stat" || return
  set -- ${muster_host_line##*) }
  [ "$1" != Z ] && [ "$4" = "$$" ]
}

# Whether another process of this host reads the pipe that is open here as descriptor $1.
has_reader() {
  for muster_host_entry in /proc/[0-9]*; do
    [ "$muster_host_entry/fd/0" -ef "/proc/self/fd/$1" ] || continue
    ! is_ours "${muster_host_entry#/proc/}" || return 0
  done
  return 1
}

# Copies standard input to a spool without delay, and drops it beyond the cap: a program that prints too much must
# neither fill the disk nor be stopped. The cap is a ulimit, in units of 512 bytes, on the size of the spool. With its
# signal ignored, reaching the limit is an ordinary write error. The mark means that bytes were dropped. If the cat is
# killed, another one continues: whatever the program printed is still in the pipe, except what that cat had just read.
limit() {
  # Shells print a message about a killed child. It must not be counted, so writing it must fail.
  exec 2</dev/null
  muster_host_base=0
  copy "$muster_host_directory/$1"
  muster_host_code=$?
  while [ "$muster_host_code" -gt 128 ]; do
    note_loss "$1"
    copy "$muster_host_directory/$1"
    muster_host_code=$?
  done
  [ "$muster_host_code" -ne 0 ] || return 0
  printf '!' >>"$muster_host_directory/truncated.$1"
  muster_host_code=255
  while [ "$muster_host_code" -gt 128 ]; do
    cat >/dev/null
    muster_host_code=$?
  done
}

copy() {
  (trap '' XFSZ && ulimit -S -f $((muster_host_cap / 512)) && exec cat >>"$1")
}

# Records how many bytes were lost with a killed cat: what it had read but not written. The kernel adds what a process
# read and wrote to its parent's account. The cat also read its libraries, as much as a cat without input does.
note_loss() {
  if ! read_account; then
    printf '?\n' >>"$muster_host_directory/missing.$1"
    return
  fi
  muster_host_lost=$((muster_host_account - muster_host_base))
  muster_host_usual=$(copy /dev/null </dev/null; read_account && echo "$muster_host_account")
  muster_host_lost=$((muster_host_lost - muster_host_usual))
  [ "$muster_host_lost" -le 0 ] || printf '%s\n' "$muster_host_lost" >>"$muster_host_directory/missing.$1"
  # Reading the account is itself counted, after the fact.
  read_account && muster_host_first=$muster_host_account && read_account
  muster_host_base=$((muster_host_account + muster_host_account - muster_host_first))
}

# Sets muster_host_account to the bytes that this process and its ended children have read but not written.
read_account() {
  {
    read -r muster_host_rest muster_host_read && read -r muster_host_rest muster_host_written
  } 2>/dev/null </proc/self/io || return
  muster_host_account=$((muster_host_read - muster_host_written))
}

# Starts a spool's writer again if it was killed together with its shell, process $2. The pipe is open as descriptor $3.
# Sets muster_host_writer to the process that writes the spool now.
revive() {
  muster_host_writer=$2
  [ -r /proc/self/stat ] || return 0
  ! is_ours "$2" && ! has_reader "$3" || return 0
  printf '?\n' >>"$muster_host_directory/missing.$1"
  (exec <&"$3" 3<&- 4<&- 5<&- && limit "$1") &
  muster_host_writer=$!
}

# Waits until the rest of a program's output is in its spool, even if the writer, process $2, was killed. The pipe is
# open as descriptor $3.
await_writer() {
  [ "$muster_host_late" = no ] || return 0
  wait "$2" && return
  while [ "$muster_host_late" = no ] && has_reader "$3"; do
    (PATH=$muster_host_path && { sleep 0.05 || sleep 1; })
  done
  [ "$muster_host_late" = no ] || return 0
  (exec <&"$3" 3<&- 5<&- && PATH=$muster_host_path && limit "$1") &
  wait "$!"
}

# Passes input on to the program and waits at the bell for more. Looks for the end mark before the last read, so that
# everything written before the mark is read. When no process has the bell open any more, the host and the program are
# gone, and reading the bell fails.
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

# Adds a watchman to the PID file.
enrol() {
  [ -r /proc/self/stat ] || return
  identify
  printf 'watchman %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
}

# Ends the watchmen when the output has ended, because a killed host can't. Without /proc, they notice it by themselves.
dismiss() {
  while read -r muster_host_role muster_host_pid muster_host_rest; do
    [ "$muster_host_role" != watchman ] || ! is_ours "$muster_host_pid" || kill -s TERM "$muster_host_pid"
  done 2>/dev/null <"$muster_host_directory/pid"
}

# Sleeps in a subshell that may be asked to end. The subshell ends its sleep too, because no one else would. It uses
# SIGKILL, because a sleep that is just starting still has the subshell's trap and would lose a SIGTERM to it.
nap() {
  muster_host_idle=$!
  trap '[ "$!" = "$muster_host_idle" ] || { kill -s KILL "$!"; wait "$!"; }; exit' TERM
  sleep "$1" &
  wait "$!"
}

# The same for a number of milliseconds. Not every sleep knows fractions, so whole seconds have none.
nap_ms() {
  muster_host_rest=$((1000 + $1 % 1000))
  muster_host_rest=${muster_host_rest#1}
  muster_host_seconds=$(($1 / 1000))
  [ "$muster_host_rest" = 000 ] || muster_host_seconds=$muster_host_seconds.$muster_host_rest
  nap "$muster_host_seconds"
}

# Whether there is a holder yet. Ends the watchman if the holder is gone, or if the host died before it had one. The PID
# file is open as descriptor 4, so that it can be read even if it has been removed.
find_holder() {
  read_roles <&4
  if [ -z "$muster_host_holder" ]; then
    kill -s 0 "$$" || exit
    return 1
  fi
  is_alive "$muster_host_holder" "$muster_host_holder_start" || exit
}

# Watches over the session: counts how long it has run, mends its writers, and ends it if the daemon is away for too
# long or if the session's files are gone, because no daemon could ever find it then. Adds up its naps instead of
# comparing clocks, because the machine may sleep or its clock may jump. The first naps are short.
guard() {
  enrol
  muster_host_last='' muster_host_silent=0 muster_host_blind=0 muster_host_ran=0 muster_host_nap=1000
  while [ "$muster_host_silent" -lt "$muster_host_away" ]; do
    [ "$muster_host_nap" -le "$muster_host_longest" ] || muster_host_nap=$muster_host_longest
    nap_ms "$muster_host_nap" || exit
    muster_host_ran=$((muster_host_ran + muster_host_nap))
    look || continue
    [ "$muster_host_blind" -lt $((2 * muster_host_longest)) ] || break
    muster_host_silent=$((muster_host_silent + muster_host_nap))
    muster_host_nap=$((2 * muster_host_nap))
    muster_host_now=''
    read -r muster_host_now 2>/dev/null <"$muster_host_beat"
    [ "$muster_host_now" = "$muster_host_last" ] || muster_host_silent=0
    muster_host_last=$muster_host_now
  done
  end_session away
}

# One look of the guard. Returns 1 if there is no holder yet.
look() {
  muster_host_blind=$((muster_host_blind + muster_host_nap))
  if owns_files; then
    muster_host_blind=0
    printf '%s\n' "$muster_host_ran" >"$muster_host_directory/ran"
  fi
  find_holder || return
  revive out "$muster_host_out" 3 && muster_host_out=$muster_host_writer
  revive err "$muster_host_err" 5 && muster_host_err=$muster_host_writer
}

# Ends the session and records the reason.
end_session() {
  ! owns_files || printf '%s\n' "$1" >"$muster_host_directory/why"
  if [ "$muster_host_containment" = process-group ]; then
    is_alive "$muster_host_program" "$muster_host_program_start" && kill -s KILL -- "-$muster_host_program"
    return
  fi
  # Kills the namespace's first process, not its holder, so that the holder ends only after all others are gone.
  read -r muster_host_init muster_host_rest <"/proc/$muster_host_holder/task/$muster_host_holder/children"
  kill -s KILL "${muster_host_init:-$muster_host_holder}"
}

# Sets muster_host_pages and muster_host_tasks to what process $1 and its descendants use. Leaves out shared pages:
# most of them are program code, which is in memory only once.
measure() {
  muster_host_pages=0 muster_host_tasks=0 muster_host_next=$1
  while [ -n "$muster_host_next" ]; do
    set -- $muster_host_next
    muster_host_next=''
    for muster_host_pid in "$@"; do
      read -r muster_host_rest muster_host_resident muster_host_shared muster_host_rest \
        2>/dev/null <"/proc/$muster_host_pid/statm" || continue
      muster_host_pages=$((muster_host_pages + muster_host_resident - muster_host_shared))
      # Each thread has its own list of children.
      for muster_host_file in "/proc/$muster_host_pid/task/"*/children; do
        muster_host_tasks=$((muster_host_tasks + 1)) muster_host_children=''
        read -r muster_host_children 2>/dev/null <"$muster_host_file"
        muster_host_next="$muster_host_next${muster_host_children:+ $muster_host_children}"
      done
    done
  done
}

# Ends a session that exceeds its limits. The kernel's own limits don't fit: a process limit counts reserved memory,
# of which modern runtimes reserve far more than they use, and a control group needs the system's permission.
ration() {
  enrol
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
  muster_host_beat=$5 muster_host_away=$6 muster_host_longest=$7
  muster_host_input=$8 muster_host_memory=$9 muster_host_most_tasks=${10}
  shift 10
  # The system's own tools come first, because the program's PATH may have none.
  muster_host_path="/usr/bin:/bin:${PATH-}"

  # Only one host can create this file. Other hosts of the same session start nothing.
  identify
  muster_host_own=$muster_host_identity muster_host_holder='' muster_host_program=''
  set -C
  printf 'host %s %s\n' "$muster_host_identity" "$muster_host_containment" >"$muster_host_directory/pid" || exit 0
  set +C

  # In most shells, a short here-document is a pipe whose writing end is in /proc. That saves starting mkfifo.
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

  # Closed by exec, because a redirection of the function would keep the writing end open, and the reader would never
  # end.
  exec 7<&0 8>&- 9>&-
  if [ "$muster_host_input" = yes ]; then
    PATH=$muster_host_path mkfifo -m 600 "$muster_host_directory/in.pipe" "$muster_host_directory/bell"
    : >>"$muster_host_directory/in"
    exec 9<>"$muster_host_directory/in.pipe"
    exec 7<"$muster_host_directory/in.pipe" 8>"$muster_host_directory/in.pipe" 9<>"$muster_host_directory/bell"
    (exec <"$muster_host_directory/in" >&8 3<&- 4>&- 5<&- 6>&- 7<&- 8>&- && PATH=$muster_host_path && feed) &
    exec 8>&-
  fi
  (exec <&3 3<&- 4>&- 5<&- 6>&- 7<&- 9>&- && PATH=$muster_host_path && limit out) &
  muster_host_out=$!
  # If the host is killed, this process ends last, so it keeps the bell open.
  (exec <&5 3<&- 4>&- 5<&- 6>&- 7<&- && PATH=$muster_host_path && limit err; dismiss) &
  muster_host_err=$!
  # The guard keeps the reading ends open: if the writers are killed, the program must wait, not fail.
  # The PID file is opened before the fork, once for each watchman, because each reads on where it stopped. If the
  # session's files are gone already, the host ends here, and the program never runs without its watchmen.
  exec 8<"$muster_host_directory/pid"
  (exec 4<&8 6>&- 7<&- 8<&- 9>&- && PATH=$muster_host_path && guard) &
  if [ "$muster_host_memory$muster_host_most_tasks" != 00 ]; then
    exec 8<"$muster_host_directory/pid"
    (exec 3<&- 4<&8 5<&- 6>&- 7<&- 8<&- 9>&- && PATH=$muster_host_path && ration) &
  fi
  exec 8<&-

  # Runs in the foreground, because background processes of a script ignore interrupts, and the program would inherit
  # that. If the machine runs out of memory, the kernel should kill agents before the daemon and its database.
  (
    identify
    printf 'holder %s\n' "$muster_host_identity" >>"$muster_host_directory/pid"
    printf 500 2>/dev/null >/proc/self/oom_score_adj
    exec "$@"
  ) <&7 >&4 2>&6 3<&- 4>&- 5<&- 6>&- 7<&- 8>>"$muster_host_directory/end" 9>"$muster_host_directory/death"
  muster_host_status=$?

  exec 4>&- 6>&- 7<&-
  muster_host_late=no muster_host_timer=''
  if [ "$muster_host_containment" = process-group ]; then
    # A process that left the group may keep the output open forever.
    trap 'muster_host_late=yes' USR1
    (exec 3<&- 5<&- && PATH=$muster_host_path && nap "$muster_host_linger" && kill -s USR1 "$$") &
    muster_host_timer=$!
  fi
  await_writer out "$muster_host_out" 3
  await_writer err "$muster_host_err" 5
  if [ -n "$muster_host_timer" ]; then
    kill -s TERM "$muster_host_timer"
    wait "$muster_host_timer"
  fi

  # Everything left in this process group is part of the host: the watchmen, the feeder, and unfinished limiters.
  trap '' TERM
  kill -s TERM -- "-$$"
  wait

  judge
  ! owns_files || printf '%s\n' "$muster_host_end" >"$muster_host_directory/exit"
}

# Sets muster_host_end. In a namespace, the holder's status is the program's own, so nothing is read that the program
# could have written. A status above 128 counts as a signal, as in shells.
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

# The same for a process group, from the lines that `init` wrote: one when it began and one with the program's status.
judge_group() {
  muster_host_code=''
  { read -r muster_host_begun; read -r muster_host_code; } <"$muster_host_directory/end"
  if [ -z "$muster_host_code" ]; then
    # If init began but left no status, it was killed. Its holder may then fail instead of reporting the signal.
    muster_host_end="unstarted $muster_host_status"
    [ -z "$muster_host_begun" ] || muster_host_end='signalled 9'
    [ "$muster_host_status" -le 128 ] || muster_host_end="signalled $((muster_host_status - 128))"
    muster_host_end=${muster_host_why:-$muster_host_end}
    return
  fi
  muster_host_end="exited $muster_host_code"
  [ "$muster_host_code" -gt 128 ] || return
  # A status such as 143 may be a signal or an ordinary exit. The shell reports a signal on its standard error, except
  # for interrupts and broken pipes, so 130 and 141 count as signals.
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
    # The program can open the files that this process has open, so none of the host's files may be open.
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
  read_roles <"$muster_host_directory/pid"
  kill -s KILL -- "-$muster_host_program"
  exit "$muster_host_status"
}

"$@"
