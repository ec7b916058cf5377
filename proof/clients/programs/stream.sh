# Submits a job and reads its stream until the status says that it has ended. Exit code 0: it completed.
set -u
cd "$(dirname "$0")" && . ./calls.sh

give_up() {
  call POST "/cancel/$id" || echo 'not cancelled' >&2
  exit 1
}

call POST /run '{"input":{"prompt":"a canyon"}}' || exit 1
id=$(id_in_reply)
known=no
while [ $SECONDS -lt 20 ]; do
  rc=0
  call GET "/stream/$id" || rc=$?
  if [ $rc -eq 4 ]; then
    if [ $known = yes ] || [ $SECONDS -gt 2 ]; then exit 3; fi
    sleep 0.5
    continue
  fi
  [ $rc -eq 0 ] || give_up
  known=yes
  case $reply in
    '[]' | *'"stream":[]'*)
      rc=0
      call GET "/status/$id" || rc=$?
      [ $rc -ne 4 ] || exit 3
      [ $rc -eq 0 ] || give_up
      case $(state) in
        COMPLETED)
          call GET "/stream/$id" && printf '%s\n' "$reply"
          exit 0
          ;;
        FAILED | CANCELLED | TIMED_OUT) exit 2 ;;
      esac
      ;;
    *) printf '%s\n' "$reply" ;;
  esac
  sleep 0.3
done
give_up
