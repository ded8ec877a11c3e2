#!/usr/bin/env bash
# Runs the tests with the command that is given, such as `swift test`. Shows how far they are, then
# what failed and the summary; the whole output goes to build/test.log.
set -euo pipefail

log=build/test.log
most=30
# A line in each so many seconds, where it is not a terminal whose line can change.
every=60

# What failed: an error of the compiler or the runner, an issue of a test, and words on it.
failure='(^|[^a-zA-Z])error: |^✘ Test .* recorded an issue|^↳ '
# A step of the build, or a test that ended.
step='^\[[0-9]+/[0-9]+|^(✔|✘|➜) Test ".*(passed after|failed after|skipped)'

# Shows the steps and tests that it reads.
show_progress() {
  local line text="" done=0 last=-$every
  while IFS= read -r line; do
    case "$line" in
      \[*) text="building, step ${line:1}" ;;
      *) text="test $((done += 1)) of $count" ;;
    esac
    if [ -t 1 ]; then
      printf '\r%3d:%02d  %s\033[K' $((SECONDS / 60)) $((SECONDS % 60)) "$text"
    elif ((SECONDS - last >= every)); then
      printf '%3d:%02d  %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$text"
      last=$SECONDS
    fi
  done
  if [ -t 1 ]; then printf '\r\033[K'; fi
}

cd "$(dirname "$0")/.."
mkdir -p build
count="$(grep -rhE '^ *@Test' Tests --include='*.swift' | wc -l)"
echo "$count tests, in about 8 minutes on two cores; the first build takes 7 more."
echo "The whole output: $log"

status=0
"$@" 2>&1 | tee "$log" | { grep -aoE --line-buffered "$step" || true; } | show_progress || status=$?

if [ "$status" -ne 0 ]; then
  found="$(grep -aE "$failure" "$log" | grep -avE '^↳ (Testing Library|Target Platform)' || true)"
  head -n "$most" <<< "$found" | cut -c1-300
  rest=$(($(wc -l <<< "$found") - most))
  if [ "$rest" -gt 0 ]; then echo "… and $rest more lines of failures in $log"; fi
fi
grep -a 'Test run with' "$log" | tail -n 1 || true
exit "$status"
