#!/usr/bin/env bash
# Checks that Documentation/cli.md has a section on each subcommand of the program, which is the
# argument, and names no option that the program does not have. The list of options is its help.
set -euo pipefail

document=Documentation/cli.md
help="$("$1" --experimental-dump-help)"
commands="$(awk '$1 == "\"commandName\"" { gsub(/[",]/, "", $3); print $3 }' <<< "$help" \
  | sort -u | grep -vxE 'archive-convert|convert|help')"
options="$(awk '
  $1 == "\"kind\"" { isLong = $3 == "\"long\"," }
  $1 == "\"name\"" && isLong { gsub(/"/, "", $3); print "--" $3 }' <<< "$help" | sort -u)"

faults=0
fault() {
  echo "$1" >&2
  faults=$((faults + 1))
}
for command in $commands; do
  grep -qE "^## archive-convert ([a-z-]+, )*([a-z-]+ and )?\[?$command\b" "$document" \
    || fault "$document: has no section on $command"
done
while IFS= read -r option; do
  grep -qxF -- "$option" <<< "$options" || fault "$document: there is no option $option"
done < <(grep -oE -- '(^|[^a-z-])--[a-z][a-z-]*' "$document" | grep -oE -- '--[a-z-]+' | sort -u)
echo "$(wc -w <<< "$commands") commands and $(wc -w <<< "$options") options, $faults faults in $document"
[ "$(wc -w <<< "$commands")" -gt 0 ] && [ "$faults" -eq 0 ]
