#!/usr/bin/env bash
# Converts the sample archives with the program named as the argument and checks the store: what
# SampleArchives/README.md says is in them has to be there, twice where there are two forms.
set -euo pipefail

program="$1"
output="$(mktemp -d)"
trap 'rm -rf "$output"' EXIT
store="$output/samples.sqlite"

"$program" SampleArchives -o "$store" --report "$output/report.json"

failures=0
expect() {
  local found
  found="$(sqlite3 "$store" "$2")"
  [ "$found" = "$1" ] && return
  echo "$2: found '$found' where '$1' was expected" >&2
  failures=$((failures + 1))
}

expect ok 'PRAGMA integrity_check'
expect '' 'PRAGMA foreign_key_check'
expect 11 'SELECT count(*) FROM _archive'
expect 2 'SELECT count(*) FROM MTLibrary'
expect 6 'SELECT count(*) FROM MTFolder'
expect 24 'SELECT count(*) FROM MTNote'
expect 24 'SELECT count(*) FROM MTNote JOIN MTFolder ON MTFolder.id = container_id'
expect 30 'SELECT count(*) FROM TrackingPeriod'
expect 10 'SELECT count(*) FROM QuickRecord'
expect 4 'SELECT count(*) FROM TransactionType'
expect 2012 'SELECT count(*) FROM Event'
expect 2011-05-22T21:52:00.000Z 'SELECT min(timeStamp) FROM Event'

# The destination is there now: without --if-exists nothing may happen to it.
before="$(sha256sum < "$store")"
status=0
"$program" SampleArchives -o "$store" 2> "$output/error" || status=$?
if [ "$status" -ne 2 ] || [ "$(sha256sum < "$store")" != "$before" ]; then
  echo "a store that was there was not left alone (exit code $status)" >&2
  failures=$((failures + 1))
fi

[ "$failures" -eq 0 ]
echo "The store of the sample archives is as it should be."
