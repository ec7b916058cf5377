# Runs a job with /runsync, and polls if it is answered before the end. Exit code 0: it completed.
set -u
cd "$(dirname "$0")" && . ./calls.sh

call POST /runsync '{"input":{"prompt":"a canyon"}}' || exit 1
id=$(id_in_reply)
status=$(state)
case $status in
  COMPLETED | FAILED | CANCELLED | TIMED_OUT) ;;
  *) follow "$id" ;;
esac
echo "$status"
[ "$status" = COMPLETED ]
