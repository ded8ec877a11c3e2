#!/usr/bin/env bash
# Checks that Documentation/cli.md names every subcommand and option that the program has, but for
# those that every program has. The argument is the program.
set -euo pipefail

document=Documentation/cli.md
help="$("$1" --experimental-dump-help)"
options="$(awk '
  $1 == "\"kind\"" { isLong = $3 == "\"long\"," }
  $1 == "\"name\"" && isLong { gsub(/"/, "", $3); print "--" $3 }
  $1 == "\"commandName\"" { gsub(/[",]/, "", $3); print $3 }' <<< "$help" \
  | sort -u | grep -vxE -- '(--)?help|--version')"

missing=0
count=0
for option in $options; do
  count=$((count + 1))
  if ! grep -qE -- "(^|[^a-z-])$option([^a-z-]|\$)" "$document"; then
    echo "$document: does not tell of $option" >&2
    missing=$((missing + 1))
  fi
done
echo "$count commands and options, $missing missing in $document"
[ "$count" -gt 0 ] && [ "$missing" -eq 0 ]
