#!/usr/bin/env bash
# Kills conversions at random moments and goes on with them, again and again; the store has to be
# that of a run that nothing has ended.
#
#     kill-test.sh CONVERT FOLDER [COUNT]
#
# CONVERT is the program, FOLDER holds archives: so many that their conversion takes seconds, since
# something is kept about once a second. COUNT (50) is how many times a run is killed.
set -euo pipefail

convert=$1 folder=$2 count=${3:-50}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dump() {
  sqlite3 "$1" .dump | sed -E "s/'[0-9-]{10}T[0-9:]{8}Z'/'time'/"
}

status=0
begin=$(date +%s%N)
"$convert" "$folder" -o "$work/whole.db" -q 2> "$work/whole.txt" || status=$?
milliseconds=$((($(date +%s%N) - begin) / 1000000))
[ "$status" -le 1 ]
dump "$work/whole.db" > "$work/whole.sql"

kills=0 resumed=0 completed=0
while [ "$kills" -lt "$count" ]; do
  "$convert" "$folder" -o "$work/out.db" --resume -q 2> "$work/notes.txt" &
  program=$!
  sleep "$(awk -v m="$milliseconds" -v r="$RANDOM" 'BEGIN { print 1.1 * m / 1000 * r / 32768 }')"
  if kill -KILL "$program" 2> /dev/null; then kills=$((kills + 1)); fi
  result=0
  wait "$program" 2> /dev/null || result=$?
  if grep -q '^resuming after' "$work/notes.txt"; then resumed=$((resumed + 1)); fi
  if [ -e "$work/out.db" ]; then
    # It was faster than the signal, or the signal came behind the last step.
    if [ "$result" -ne 137 ]; then [ "$result" -eq "$status" ]; fi
    dump "$work/out.db" | cmp - "$work/whole.sql"
    completed=$((completed + 1))
    rm "$work/out.db"
  fi
done
"$convert" "$folder" -o "$work/out.db" --resume -q 2> "$work/notes.txt" || [ $? -eq "$status" ]
if grep -q '^resuming after' "$work/notes.txt"; then resumed=$((resumed + 1)); fi
dump "$work/out.db" | cmp - "$work/whole.sql"
echo "killed $kills times, went on with something kept $resumed times;" \
  "all $((completed + 1)) stores are the same"
