#!/usr/bin/env bash
# Checks the runners in the folder spark with the program named as the argument: their types, their
# form, and their tests, those on Spark included.
#
# CONVERT_VENV is a folder for Python's packages that is kept; REQUIRE_SPARK=1 makes it an error if
# these cannot be installed.
set -euo pipefail

program="$(realpath "$1")"
cd "$(dirname "$0")/.."
Scripts/setup.sh python3 openjdk-17-jre-headless:java
python3 -c 'import ensurepip' 2> /dev/null || Scripts/setup.sh python3-venv:ensurepip
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python="${CONVERT_VENV:-$folder/venv}/bin/python"

if ! { python3 -m venv "${python%/bin/python}" && "$python" -m pip install -q './spark[spark,test]'; } \
  > "$folder/log" 2>&1; then
  cat "$folder/log" >&2
  echo "skipped: the packages that Spark needs cannot be installed"
  [ "${REQUIRE_SPARK:-}" != 1 ]
  exit
fi

cd spark
"$python" -m ruff format --check .
"$python" -m ruff check .
"$python" -m mypy
# Without Java the tests say what is missing.
TMPDIR="$folder" ARCHIVE_CONVERT="$program" REQUIRE_SPARK=1 "$python" -m pytest -rs --durations 3
