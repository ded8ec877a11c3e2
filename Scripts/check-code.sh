#!/usr/bin/env bash
# Compiles the records that archive-convert code writes for the store of the sample archives, and
# reads all rows and relationships with them. The argument is the program.
set -euo pipefail

program="$(realpath "$1")"
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

cp -R Examples/GRDB/. "$folder"
sources="$folder/Sources/ReadStore"
"$program" SampleArchives -o "$folder/samples.sqlite" --quiet
"$program" code "$folder/samples.sqlite" --for grdb -o "$sources"
{
  printf 'import GRDB\n\nfunc readAll(_ db: Database) throws -> (rows: Int, links: Int) {\n'
  printf '  var (rows, links) = (0, 0)\n'
  for file in "$sources"/_*.swift; do
    name="$(sed -n 's/^struct \([^:]*\): .*/\1/p' "$file" | head -1)"
    [ -n "$name" ] || continue
    printf '  for row in try %s.fetchAll(db) {\n    rows += 1\n' "$name"
    sed -n "s/^  var \(.*\): QueryInterfaceRequest.*/    links += try row.\1.fetchAll(db).count/p" "$file"
    printf '    _ = row\n  }\n'
  done
  printf '  return (rows, links)\n}\n'
} > "$sources/ReadAll.swift"
printf 'print(try store.read(readAll))\n' >> "$sources/main.swift"
swift build --package-path "$folder" 2>&1 | tail -3
"$folder/.build/debug/ReadStore" "$folder/samples.sqlite" | tee "$folder/output"
# The rows of the samples, those of a view among them, and what leads from one to another.
grep -qx '(rows: 2180, links: 190)' "$folder/output"
