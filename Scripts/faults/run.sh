#!/usr/bin/env bash
# Makes each call that a conversion makes of the system fail, one in each run: whatever fails, the
# destination has to be as it was, or whole; the exit code and the words have to say which; nothing
# may be left behind, and no run may end by a signal or never. Linux only.
#
#     run.sh BUILD [EVERY]
#
# BUILD is the folder of the programs, EVERY (1) takes only some of the calls: for a quick look.
# SCENARIOS and CALLS, lists of words, take only some of those below.
#
# Of memory, only what SQLite, libxml2 and zlib ask for is refused one by one: they report it. Swift
# ends the program where it gets none; there (CALLS=memory) a signal counts as an end without words,
# and the destination has to be as it was, or whole, all the same.
set -euo pipefail

if [ "$(uname)" != Linux ] || ! command -v cc sqlite3 > /dev/null; then
  echo "faults are made on Linux only, and take cc and sqlite3: skipped" >&2
  exit 0
fi
build=$(cd "$1" && pwd) every=${2:-1}
project=$(cd "$(dirname "$0")/../.." && pwd)
samples=$project/SampleArchives
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SWIFT_BACKTRACE=enable=no
convert=$build/archive-convert

cc -O1 -fPIC -shared -o "$work/shim.so" "$project/Scripts/faults/shim.c" -ldl

# Each scenario: what is there before, the command, its outputs, and the exit code if nothing fails.
declare -A prepare=() command=() outputs=()
code_of() { case $1 in directory|separate|resume) echo 1 ;; *) echo 0 ;; esac; }
whole=$work/whole
mkdir "$whole"
input=$work/input
mkdir -p "$input/in/deep"
cp "$samples/Locations.archive" "$input/a"
cp "$samples/MentalCase.archive" "$input/b"
cp "$samples/MentalCase.xml" "$input/x.xml"
cp "$samples/QuickRecord.archive" "$input/in/1"
cp "$samples/Locations.archive" "$input/in/2"
cp "$samples/MentalCase.xml" "$input/in/3"
head -c 3000 "$samples/MentalCase.archive" > "$input/in/4 damaged"
echo "no archive" > "$input/in/5 other"
# More values of which something is lost than a report keeps in memory.
{
  printf '<plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>'
  printf '<key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>'
  printf '<dict><key>CF$UID</key><integer>2</integer></dict></dict><key>$objects</key><array>'
  printf '<string>$null</string><dict><key>$classname</key><string>Price</string><key>$classes'
  printf '</key><array><string>Price</string><string>NSObject</string></array></dict>'
  for number in {2..1600}; do
    printf '<dict><key>$class</key><dict><key>CF$UID</key><integer>1</integer></dict>'
    printf '<key>value</key><real>%d.125</real><key>next</key><dict><key>CF$UID</key>' "$number"
    printf '<integer>%d</integer></dict></dict>' $((number < 1600 ? number + 1 : 0))
  done
  printf '</array></dict></plist>'
} > "$input/prices"
echo 'entities: {Price: {attributes: {value: {convert: {decimal: {scale: 2}}}}}}' > "$input/p.yaml"
cp "$samples/Locations.archive" "$input/in/deep/6"
(
  cd "$input"
  "$convert" b -o store.db -q
  "$convert" infer b -o m.yaml --model-output M.xcdatamodeld
  "$convert" infer in/1 -o q.yaml --model-output Q.xcdatamodeld
  # An app's store, and the next version of its model: an attribute renamed, another removed.
  "$convert" in/1 -o app.db --layout coredata --mapping q.yaml --model Q.xcdatamodeld -q
  mkdir R.xcdatamodel
  sed -E -e 's/name="amount"/name="total" elementID="amount"/' -e '/name="audioUUID"/d' \
    Q.xcdatamodeld/Q.xcdatamodel/contents > R.xcdatamodel/contents
  if [ -x "$build/killed-converter" ]; then
    { CONVERT_END_AT="checkpoint 2 9" "$build/killed-converter" in -o out.db -q || true; } 2> /dev/null
    mkdir left
    mv .out.db.* left
  fi
)

prepare[plain]=':' outputs[plain]='out.db'
command[plain]='a -o out.db'
prepare[xml]=':' outputs[xml]='out.db'
command[xml]='x.xml -o out.db'
prepare[directory]=':' outputs[directory]='out.db'
command[directory]='in -o out.db --jobs 2'
prepare[separate]=':' outputs[separate]='out/1.sqlite out/2.sqlite out/3.sqlite out/deep/6.sqlite'
command[separate]='in --store-per-archive out --jobs 2'
prepare[append]='cp store.db out.db' outputs[append]='out.db'
command[append]='a -o out.db --if-exists append'
prepare[replace]='cp store.db out.db' outputs[replace]='out.db'
command[replace]='a -o out.db --if-exists replace'
prepare[resume]='cp -p left/.out.db.* .' outputs[resume]='out.db'
command[resume]='in -o out.db --resume'
prepare[verified]=':' outputs[verified]='out.db'
command[verified]='b -o out.db --verify'
prepare[reports]=':' outputs[reports]='out.db r.json r.html'
command[reports]='a -o out.db --report r.json --report r.html'
prepare[full]=':' outputs[full]='out.db all.jsonl'
command[full]='prices -o out.db --mapping p.yaml --report-full all.jsonl'
prepare[coredata]=':' outputs[coredata]='out.db'
command[coredata]='in/1 -o out.db --layout coredata --mapping q.yaml --model Q.xcdatamodeld'
prepare[mapping]=':' outputs[mapping]='out.db'
command[mapping]='b -o out.db --mapping m.yaml --model M.xcdatamodeld'
prepare[infer]='echo before > n.yaml; cp -RL Q.xcdatamodeld N.xcdatamodeld
  mv N.xcdatamodeld/Q.xcdatamodel N.xcdatamodeld/N.xcdatamodel
  sed s/Q/N/ Q.xcdatamodeld/.xccurrentversion > N.xcdatamodeld/.xccurrentversion'
outputs[infer]='n.yaml N.xcdatamodeld/N.xcdatamodel/contents'
command[infer]='infer b -o n.yaml --model-output N.xcdatamodeld --force'
prepare[migrate]=':' outputs[migrate]='out.db'
command[migrate]='migrate app.db --model R.xcdatamodel --versions Q.xcdatamodeld -o out.db --verify'
prepare[datasette]='echo before > d.json' outputs[datasette]='out.db d.json'
command[datasette]='a -o out.db --datasette d.json'
prepare[verify]=':' outputs[verify]='r.json'
command[verify]='verify store.db b --report r.json'
prepare[report]=':' outputs[report]='r.md'
command[report]='report store.db --report r.md'
prepare[model]=':' outputs[model]='out.db'
command[model]='model M.xcdatamodeld --create-store out.db'

scenarios=${SCENARIOS:-plain xml directory separate append replace resume verified reports full mapping coredata infer migrate datasette verify
  report model}
[ -d "$input/left" ] || scenarios=${scenarios/resume/}

# The calls, and how each of them can fail: EIO 5, EINTR 4, ENOSPC 28, EACCES 13, EMFILE 24, EPERM 1.
declare -A errors=(
  [open]='5 4 24' [read]='5 4 short' [pread]='5 4 short' [write]='5 28 4 short'
  [pwrite]='28 5 4 short' [ftruncate]=5 [fsync]='5 4' [rename]='5 13' [link]=5 [unlink]=5 [mkdir]=28
  [rmdir]=5 [mmap]=12 [thread]=11 [stat]=5 [fstat]=5 [fchmod]=1 [fchown]=1 [flock]=5 [close]=5
  [opendir]=24 [readdir]=5 [seek]=5 [copy]='5 28' [access]='13 5' [attributes]=5 [sqlite]=12 [xml2]=12 [zlib]=12 [memory]=12)
calls=${CALLS:-open read pread write pwrite ftruncate fsync rename link unlink mkdir rmdir mmap thread stat fstat fchmod fchown flock close opendir readdir seek copy access attributes sqlite xml2 zlib}

# What an output says, without what differs from run to run.
content() {
  case $1 in
    *.db|*.sqlite)
      sqlite3 "$1" .dump 2>&1 | sed -E "s/'[0-9-]{10}T[0-9:]{8}Z'/'time'/g" \
        | grep -v '^INSERT INTO Z_METADATA' || true ;;
    *) sed -E 's/[0-9a-f]{40,}//g; s/[0-9]+([.,][0-9]+)*//g' "$1" ;;
  esac
}

folder() {
  rm -rf "$1"
  mkdir -p "$1"
  ln -s "$input"/* "$1"
  rm "$1/M.xcdatamodeld" "$1/left" 2> /dev/null || true
  cp -R "$input/M.xcdatamodeld" "$1"
  ln -s "$input/left" "$1/left"
  (cd "$1" && eval "${prepare[$2]}")
}

# Runs the command of a scenario in its folder with the shim, by what the further arguments say.
shimmed() {
  local scenario=$1 call=$2 place=$3 kind=$2 from=''
  shift 3
  case $call in
    sqlite) kind=malloc from=libsqlite3 ;;
    xml2) kind=malloc from=libxml2 ;;
    zlib) kind=malloc from=libz ;;
    memory) kind=malloc ;;
  esac
  (
    cd "$place"
    FAULT_CALL=$kind FAULT_FROM=$from LD_PRELOAD=$work/shim.so "$@" "$convert" \
      ${command[$scenario]} > out.txt 2> err.txt < /dev/null
  ) 2> /dev/null
}

# One run with one fault. Prints what is wrong, if anything is.
attempt() {
  local scenario=$1 call=$2 error=$3 number=$4 place=$5 status=0 problem='' output
  folder "$place" "$scenario"
  shimmed "$scenario" "$call" "$place" \
    env FAULT_ERROR="$error" FAULT_NUMBER="$number" timeout 30 || status=$?
  local expected left states=''
  expected=$(code_of "$scenario")
  # What was there before may stay.
  left=$(cd "$place" && find . -name '*convert-partial*' | sort \
    | comm -23 - <(cd "$work/$scenario.before" && find . -name '*convert-partial*' | sort) | head -1)
  case $status in
    124) problem="hangs" ;;
    0|1|2) ;;
    *) [ "$call" = memory ] || problem="ends with $status" ;;
  esac
  if [ "$status" = 2 ] || { [ "$status" = 1 ] && [ "$expected" = 0 ]; }; then
    [ -s "$place/err.txt" ] || problem="ends with $status without a word"
  fi
  for output in ${outputs[$scenario]}; do
    if [ ! -e "$place/$output" ] && [ ! -e "$work/$scenario.before/$output" ]; then
      states+=' before'
      [ "$status" != 0 ] && { [ "$status" != "$expected" ] || [ -s "$place/err.txt" ]; } \
        || problem="ends with $status without $output"
    elif cmp -s "$place/$output" "$work/$scenario.before/$output"; then
      states+=' before'
      [ "$status" != "$expected" ] || problem="ends with $status, but $output is as it was"
    elif ! content "$place/$output" | cmp -s - "$whole/$scenario.${output//\//-}"; then
      # Without a file or folder that could not be read, a store is whole, too, if that is said.
      if [ "$status" = 1 ] \
        && grep -v -x -F -f "$work/$scenario.errors" "$place/err.txt" | grep -q -E '^in(/[^:]*)?: ' \
        && [ "$(sqlite3 "$place/$output" 'pragma integrity_check')" = ok ]; then :; else
        problem="ends with $status, but $output is neither as it was nor whole"
      fi
    else
      states+=' whole'
    fi
  done
  # A draft and its model belong together; a store is there without a report of it, too.
  case $scenario$states in
    infer*whole*before|infer*before*whole) problem="ends with $status and only one of its outputs" ;;
  esac
  if [ -n "$left" ] && [ "$status" -le 2 ] && ! grep -q -e '--resume' "$place/err.txt"; then
    problem="leaves $left behind"
  fi
  if [ -n "$problem" ]; then
    echo "$scenario: $call $number, error $error: $problem: $(head -c 200 "$place/err.txt" | head -1)"
  fi
}

# All runs of one scenario.
try() {
  local scenario=$1 call error number count place=$work/$scenario status=0 runs=0
  folder "$work/$scenario.before" "$scenario"
  folder "$place" "$scenario"
  (cd "$place" && "$convert" ${command[$scenario]} > out.txt 2> err.txt) || status=$?
  if [ "$status" != "$(code_of "$scenario")" ]; then
    echo "$scenario: ends with $status without a fault: $(head -1 "$place/err.txt")"
    return
  fi
  # A line that no message is, so that there is one.
  { cat "$place/err.txt"; echo "-"; } > "$work/$scenario.errors"
  for output in ${outputs[$scenario]}; do
    content "$place/$output" > "$whole/$scenario.${output//\//-}"
  done
  for call in $calls; do
    folder "$place" "$scenario"
    shimmed "$scenario" "$call" "$place" env FAULT_COUNT="$work/$scenario.count" || true
    count=$(cat "$work/$scenario.count")
    # Of memory, there are too many: some hundreds of them.
    local step=$every
    case $call in sqlite|xml2|zlib|memory) step=$((every * (1 + count / 200))) ;; esac
    for error in ${errors[$call]}; do
      for ((number = 1; number <= count; number += step)); do
        attempt "$scenario" "$call" "$error" "$number" "$place"
        runs=$((runs + 1))
      done
    done
  done
  echo "$scenario: $runs runs" >&2
}

findings=$work/findings
for scenario in $scenarios; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
  { try "$scenario" || echo "$scenario: not all runs were made"; } >> "$findings" &
done
wait
if [ -s "$findings" ]; then
  sort "$findings"
  echo "$(wc -l < "$findings") faults are not handled" >&2
  exit 1
fi
echo "all faults are handled" >&2
