# Calls with curl. To be sourced.
# call METHOD PATH [BODY]: the body of a 2xx answer is in $reply. Returns 4 for 404, 1 for what is not tried again.
# A submission is only tried again where it has surely not been accepted.

call() {
  local method=$1 path=$2 body=${3-} pause_ms=250 spent_ms=0 code rc after wait_ms
  local -a data=()
  local head text
  head=$(mktemp) text=$(mktemp)
  [ -z "$body" ] || data=(-H 'Content-Type: application/json' --data "$body")
  while :; do
    rc=0
    code=$(curl -s -m 100 -X "$method" -H "Authorization: Bearer $RUNPROOF_API_KEY" "${data[@]}" \
      -D "$head" -o "$text" -w '%{http_code}' "$RUNPROOF_ENDPOINT_URL$path") || rc=$?
    after=0
    if [ $rc -ne 0 ]; then
      # 7: the connection was refused.
      [ -z "$body" ] || [ $rc -eq 7 ] || break
    else
      case $code in
        2??)
          reply=$(cat "$text")
          rm -f "$head" "$text"
          return 0
          ;;
        404)
          rm -f "$head" "$text"
          return 4
          ;;
        429) ;;
        5??) [ -z "$body" ] || break ;;
        *) break ;;
      esac
      after=$(tr -d '\r' <"$head" | sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]\{1,\}\)$/\1/p')
    fi
    wait_ms=$pause_ms
    [ $((${after:-0} * 1000)) -le $wait_ms ] || wait_ms=$((after * 1000))
    [ $((spent_ms + wait_ms)) -le 12000 ] || break
    sleep "$((wait_ms / 1000)).$(printf %03d $((wait_ms % 1000)))"
    spent_ms=$((spent_ms + wait_ms))
    [ $pause_ms -ge 4000 ] || pause_ms=$((pause_ms * 2))
  done
  echo "$method $path: curl $rc, HTTP $code" >&2
  rm -f "$head" "$text"
  return 1
}

# The id in $reply: its first field of this name.
id_in_reply() {
  printf %s "$reply" | grep -o '"id" *: *"[^"]*"' | head -n 1 | sed 's/.*"\([^"]*\)"/\1/'
}

# The state of the job in $reply: a word of capitals, as outputs may have a field of the same name.
state() {
  printf %s "$reply" | grep -o '"status" *: *"[A-Z_]*"' | tail -n 1 | sed 's/.*"\([A-Z_]*\)"/\1/'
}

# Waits until the job $1 has ended; its state is in $status.
follow() {
  local id=$1 known=no rc
  SECONDS=0
  while [ $SECONDS -lt 20 ]; do
    rc=0
    call GET "/status/$id" || rc=$?
    if [ $rc -eq 0 ]; then
      known=yes
      status=$(state)
      case $status in COMPLETED | FAILED | CANCELLED | TIMED_OUT) return 0 ;; esac
    elif [ $rc -eq 4 ]; then
      if [ $known = yes ] || [ $SECONDS -gt 2 ]; then
        status=GONE
        return 0
      fi
    else
      break
    fi
    sleep 0.3
  done
  call POST "/cancel/$id" || echo 'not cancelled' >&2
  status=GIVEN_UP
}
