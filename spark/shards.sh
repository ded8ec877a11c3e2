#!/usr/bin/env bash
# Converts the archives in a folder in shards, several at a time: what archive-convert-many does,
# with find, xargs and the commands on shards alone.
#
#     shards.sh INPUT-FOLDER OUTPUT-FOLDER SHARDS [OPTIONS-OF-PROFILE...]
#
# PROGRAM is archive-convert, JOBS the number of shards at a time.
set -euo pipefail

input="$1" output="$2" count="$3"
shift 3
program="${PROGRAM:-archive-convert}"
mkdir "$output"

# each COMMAND... < NUMBERS: runs a command for each shard; {} is its number. Exit code 1 says that
# archives were rejected, which the report of the last command lists.
each() {
  xargs -I '{}' -P "${JOBS:-$(nproc)}" bash -c '"$@" || [ $? -eq 1 ] || exit 255' - "$program" "$@"
}
shard=(--shard "{}/$count" --files-from "$output/list.{}" --null --jobs 1)
profile=(profile "${shard[@]}" -o "$output/profile.{}" --if-exists replace)

# By the parts of paths, as one machine takes files; cut into lists of about the same length.
find "$input" -type f -print0 | tr / '\001' | LC_ALL=C sort -z | tr '\001' / > "$output/list"
for number in $(seq "$count"); do
  split -t '\0' -n "l/$number/$count" "$output/list" > "$output/list.$number"
done

seq "$count" | each "${profile[@]}" "$@"
while true; do
  "$program" merge-profiles "$output"/profile.* -o "$output/profiles" --if-exists replace
  status=0
  "$program" plan "$output/profiles" -o "$output/plan" --if-exists replace > "$output/planned" || status=$?
  [ "$status" -eq 1 ] || break
  # The shards that have to be looked into again, now that all are known.
  sed 's/.*\[//; s/\].*//; s/,/ /g' "$output/planned" | xargs -n 1 | each "${profile[@]}" --plan "$output/plan"
done
[ "$status" -eq 0 ]
seq "$count" | each run --plan "$output/plan" "${shard[@]}" -o "$output/store.{}" --quiet
"$program" combine "$output"/store.* -o "$output/store.sqlite" --report-full "$output/report.jsonl"
