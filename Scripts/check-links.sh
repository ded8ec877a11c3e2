#!/usr/bin/env bash
# Checks that what the documents link to is there: files, and headings in them. Addresses on the
# web are left alone.
set -euo pipefail

# The anchors of a document's headings, made as GitHub makes them.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ +/, ""); print }' "$1" \
    | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

# The targets of a document's links, outside of code.
targets() {
  awk '/^```/ { code = !code } !code' "$1" | sed 's/`[^`]*`//g' \
    | { grep -oE '\]\([^)]+\)|^\[[^]]+\]: +[^ ]+' || true; } \
    | sed -E -e 's/^\]\(<?([^) >]*).*/\1/' -e 's/^\[[^]]+\]: +//'
}

links=0
broken=0
for document in *.md Documentation/*.md Documentation/*/*.md SampleArchives/*.md Conformance/*.md; do
  [ -f "$document" ] || continue
  while IFS= read -r target; do
    case "$target" in *://* | mailto:*) continue ;; esac
    links=$((links + 1))
    file="${target%%#*}"
    anchor="${target#"$file"}"
    [ -z "$file" ] && path="$document" || path="$(dirname "$document")/$file"
    if [ ! -e "$path" ]; then
      echo "$document: there is no $target" >&2
      broken=$((broken + 1))
    elif [ -n "$anchor" ] && ! anchors "$path" | grep -qxF -- "${anchor#\#}"; then
      echo "$document: there is no heading for $target" >&2
      broken=$((broken + 1))
    fi
  done < <(targets "$document")
done
echo "$links links in the documents, $broken broken"
[ "$broken" -eq 0 ]
