#!/usr/bin/env bash
# Checks what archive-convert code writes for the stores of the sample archives and, where the corpus
# is beside the repository, of 50 archives of it. The argument is the program.
#
# Records for GRDB are compiled, and read all rows and all that they lead to; classes for SQLAlchemy
# have to read as many, and do so for the whole corpus. The other forms in Swift are type-checked
# against the declarations in Scripts/code, for their libraries are not to be had on Linux.
# The migrator of the samples is built, and its test run.
set -euo pipefail

program="$(realpath "$1")"
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# It is kept, for GRDB is built in it.
package="$PWD/build/code"
mkdir -p "$package"

step() {
  printf -- '-- %s (%d s)\n' "$1" "$SECONDS"
}

# type_check LIBRARY SOURCE NAME: writes code, and type-checks it, without macros for types (@Model,
# #Unique, @Table) and names in Objective-C.
type_check() {
  local output="$folder/$1/$3"
  "$program" code "$2" --for "$1" -o "$output" > "$folder/output"
  case "$1" in
    coredata) sed -i -E 's/@objc\([^)]*\) ?//' "$output"/*.swift ;;
    swiftdata) sed -i -E '/^@Model$/d; /^  #Unique/d' "$output"/*.swift ;;
    sqlitedata)
      sed -i -E -e '/^@Table\(/d; s/^  let /  var /' \
        -e 's/^struct ([^:<]+): (.*)/extension \1: Table {}\nstruct \1: \2/' "$output"/*.swift
      ;;
  esac
  swiftc -swift-version 6 -warnings-as-errors -typecheck -wmo -parse-as-library -module-name Code \
    -I "$folder" "$output"/*.swift
}

# read_all FOLDER: prints a function that reads all rows with the records in a folder.
read_all() {
  awk '
    BEGIN {
      print "import GRDB\n"
      print "public func readAll(_ db: Database) throws -> (rows: Int, links: Int) {"
      print "  var (rows, links) = (0, 0)"
    }
    function close_loop() {
      if (is_open) print "    _ = row\n  }"
      is_open = 0
    }
    FNR == 1 { close_loop() }
    /^struct [^:]*: Codable/ {
      sub(/:.*/, "", $2)
      print "  for row in try " $2 ".fetchAll(db) {\n    rows += 1"
      is_open = 1
    }
    /^  var .*: QueryInterfaceRequest/ {
      sub(/:.*/, "", $2)
      print "    links += try row." $2 ".fetchAll(db).count"
    }
    END {
      close_loop()
      print "  return (rows, links)\n}"
    }
  ' "$1"/_*.swift
}

# The samples, together and each; and the archives of the corpus with the most tables.
stores="$folder/stores"
mkdir "$stores"
"$program" SampleArchives -o "$stores/Samples.sqlite" --quiet
names=(Samples)
for archive in SampleArchives/*.archive ../shared/corpus/keyed-*/*; do
  [ -e "$archive" ] || continue
  name="Store_$(basename "$archive" | tr -c 'A-Za-z0-9\n' _)"
  "$program" "$archive" -o "$stores/$name.sqlite" --quiet
  "$program" infer "$archive" -o "$stores/$name.yaml" --model-output "$stores/$name.xcdatamodeld" \
    > "$folder/output"
  count="$(sqlite3 "$stores/$name.sqlite" 'SELECT count(*) FROM sqlite_schema')"
  case "$archive" in
    SampleArchives/*) names+=("$name") ;;
    *) printf '%d %s\n' "$count" "$name" >> "$folder/corpus" ;;
  esac
done
if [ -e "$folder/corpus" ]; then
  mapfile -t -O "${#names[@]}" names < <(sort -rn "$folder/corpus" | head -50 | cut -d ' ' -f 2)
fi

step "Classes for SQLAlchemy, of all stores"
python=python3
if ! python3 -c 'import sqlalchemy; assert sqlalchemy.__version__ >= "2"' 2> "$folder/output"; then
  python="$folder/python/bin/python"
  if ! { python3 -m venv "$folder/python" && "$python" -m pip install -q 'sqlalchemy>=2'; } \
    > "$folder/output" 2>&1; then
    echo "skipped: SQLAlchemy is not here, and cannot be installed"
    python=
  fi
fi
arguments=()
for store in "$stores"/*.sqlite; do
  name="$(basename "$store" .sqlite)"
  "$program" code "$store" --for sqlalchemy -o "$folder/python-code/$name" > "$folder/output"
  arguments+=("$store" "$folder/python-code/$name")
done
if [ -n "$python" ]; then
  "$python" Scripts/code/read_all.py "${arguments[@]}" > "$folder/read"
  wc -l < "$folder/read"
fi

step "Types in Swift, as far as declarations go, of ${#names[@]} stores"
for module in CoreData SwiftData SQLiteData; do
  swiftc -swift-version 6 -parse-as-library -emit-module -module-name "$module" \
    -emit-module-path "$folder/$module.swiftmodule" "Scripts/code/$module.swift"
done
for name in "${names[@]}"; do
  type_check sqlitedata "$stores/$name.sqlite" "$name"
done
for model in SampleArchives/*.xcdatamodeld; do cp -R "$model" "$stores/"; done
for name in "${names[@]:1}" Expenses Locations MoneyMom; do
  type_check coredata "$stores/$name.xcdatamodeld" "$name"
  type_check swiftdata "$stores/$name.xcdatamodeld" "$name"
done

step "Records for GRDB, of ${#names[@]} stores"
rm -rf "$package/Sources"
cp -R Examples/GRDB/. "$package"
main="$package/Sources/ReadAll/main.swift"
mkdir -p "$(dirname "$main")"
printf 'import GRDB\n' > "$main"
for name in "${names[@]}"; do
  sources="$package/Sources/$name"
  "$program" code "$stores/$name.sqlite" --for grdb -o "$sources" > "$folder/output"
  read_all "$sources" > "$sources/ReadAll.swift"
  printf 'import %s\n' "$name" >> "$main"
done
cp "$package/Sources/Samples"/_*.swift "$package/Sources/ReadStore"
cat >> "$main" <<'SWIFT'

func read(_ name: String, _ all: (Database) throws -> (rows: Int, links: Int)) throws {
  var configuration = Configuration()
  configuration.readonly = true
  let path = "\(CommandLine.arguments[1])/\(name).sqlite"
  let store = try DatabaseQueue(path: path, configuration: configuration)
  let (rows, links) = try store.read(all)
  print(name, rows, links)
}

SWIFT
printf 'try read("%s", %s.readAll)\n' $(printf '%s\n' "${names[@]}" | sed 'p') >> "$main"
sed -i '$d' "$package/Package.swift"
{
  cat <<'SWIFT'
  ])

let names = [
SWIFT
  printf '  "%s",\n' "${names[@]}"
  cat <<'SWIFT'
]
package.targets += names.map {
  .target(name: $0, dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
}
package.targets.append(
  .executableTarget(name: "ReadAll", dependencies: names.map { .target(name: $0) }))
SWIFT
} >> "$package/Package.swift"
swift build --package-path "$package" 2>&1 | grep -E 'error|Build' | tail
"$package/.build/debug/ReadStore" "$stores/Samples.sqlite"
"$package/.build/debug/ReadAll" "$stores" > "$folder/grdb"
# The rows of the samples, those of a view among them, and what leads from one to another.
grep -x 'Samples 2180 190' "$folder/grdb"
if [ -n "$python" ] && comm -23 <(sort "$folder/grdb") <(sort "$folder/read") | grep .; then
  echo "SQLAlchemy read other numbers of rows" >&2
  exit 1
fi
wc -l < "$folder/grdb"

step "A migrator of the samples, in an empty folder"
"$program" code "$stores/Samples.sqlite" --for migrator --project "$PWD" -o "$folder/migrator" \
  > "$folder/output"
# GRDB is there from before.
swift test --package-path "$folder/migrator" --scratch-path "$package/.build" 2>&1 \
  | grep -E 'error:|warning:|✘|✔ Test run'
