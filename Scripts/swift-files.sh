#!/usr/bin/env bash
# Prints the Swift files that the format rules apply to, each ended by a zero byte: those that Git
# tracks or would track. Outside of a clone: all of them.
set -euo pipefail

places=(Sources Tests SampleArchives Conformance Fuzz Benchmarks Examples)
if git rev-parse --git-dir > /dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard -- Package.swift "${places[@]/%//*.swift}"
else
  find Package.swift "${places[@]}" -name '*.swift' -print0
fi | while IFS= read -r -d '' file; do
  # A file that was deleted is tracked until the next commit.
  [ ! -e "$file" ] || printf '%s\0' "$file"
done
