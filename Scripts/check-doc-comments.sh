#!/usr/bin/env bash
# Runs DocC over the doc comments of the libraries, with warnings as errors: a comment that names a
# symbol or parameter that is not there does not pass. The argument is the folder of a debug build.
set -euo pipefail

folder="$1"
modules=(
  GraphCore GraphTesting Support ArchiveReader ArchiveWriter DataModel Stores CoreDataStores Mappings
  Migration Importer Verification Reporting Converter ConvertCommand
)

docc="$(command -v docc || true)"
if [ -z "$docc" ]; then
  echo "docs: docc is missing: it is part of the Swift toolchain" >&2
  exit 1
fi

output="$(mktemp -d)"
trap 'rm -rf "$output"' EXIT
mkdir "$output/symbols"

triple="$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')"
flags=(-I "$folder/debug/Modules")
# C modules of packages that bring a map of their own, as Yams does, are found where they lie.
for map in "$folder"/debug/C*.build/module.modulemap \
  "$folder"/checkouts/*/Sources/C*/include/module.modulemap; do
  [ ! -e "$map" ] || flags+=(-Xcc "-fmodule-map-file=$map")
done
for module in "${modules[@]}"; do
  swift symbolgraph-extract -module-name "$module" -target "$triple" "${flags[@]}" \
    -minimum-access-level internal -skip-synthesized-members -output-dir "$output/symbols"
done
if ! "$docc" convert --fallback-display-name ArchiveConverter \
  --fallback-bundle-identifier ArchiveConverter --additional-symbol-graph-dir "$output/symbols" \
  --output-path "$output/archive" --analyze --warnings-as-errors > "$output/messages" 2>&1; then
  cat "$output/messages" >&2
  exit 1
fi
echo "The doc comments of ${modules[*]} are in order."
