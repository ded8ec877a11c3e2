#!/usr/bin/env bash
# Prints the man page of archive-convert, made from the program's own help: by the generator that
# comes with swift-argument-parser, then put in order by man-page.awk.
#
#   man-page.sh PATH/archive-convert PATH/generate-manual
set -euo pipefail

program="$1"
generator="$2"
scripts="$(dirname "$0")"

# The page bears the date of the release, or else of the last change, so that the same sources make
# the same page.
version="$("$program" --version)"
day="$(sed -n "s/^## \\[*$version\\]* - //p" "$scripts/../CHANGELOG.md")"
if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then day="$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)"; fi
[ -n "$day" ] || day="$(git log -1 --format=%cs 2> /dev/null)" || day="$(date -u +%F)"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$program" --experimental-dump-help > "$work/help.json"
"$generator" "$program" --date "$day" --multi-page -o - > "$work/pages"
"$generator" "$program" --date "$day" -o - > "$work/page"
awk -v version="$version" -f "$scripts/man-page.awk" \
  stage=help "$work/help.json" stage=pages "$work/pages" stage=page "$work/page"
