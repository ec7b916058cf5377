# Submits a job and polls. Exit code 0: it completed.
set -u
cd "$(dirname "$0")" && . ./calls.sh

call POST /run '{"input":{"prompt":"a canyon"}}' || exit 1
follow "$(id_in_reply)"
echo "$status"
[ "$status" = COMPLETED ]
