/**
 * Runs the program as the foreground job of the terminal, so that keys that interrupt, and a `kill 0` of its
 * own, reach it and nothing else. A job that stops itself is put forward again: there is no shell to do it.
 * The status goes to descriptor 9. Not a file: a sandbox may hide where Muster is installed.
 */
export const INIT_SCRIPT = `
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
