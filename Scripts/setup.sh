#!/usr/bin/env bash
# Installs what the build needs and the machine lacks: the C libraries, and each command that is
# named as an argument, as the package of its name or as PACKAGE:COMMAND. Knows Debian and Ubuntu; elsewhere it says what is missing.
# Also tells git of the hook that holds messages of commits to their form.
set -euo pipefail

folder="$(cd "$(dirname "$0")" && pwd)"
if [ -e "$folder/../.git" ] && command -v git > /dev/null; then
  git -C "$folder" config core.hooksPath || git -C "$folder" config core.hooksPath Scripts/hooks || true
fi > /dev/null 2>&1

if ! command -v swift > /dev/null; then
  echo "setup: swift is missing: see https://www.swift.org/install" >&2
  exit 1
fi

missing=()
command -v pkg-config > /dev/null || missing+=(pkg-config)
for library in libxml-2.0:libxml2-dev sqlite3:libsqlite3-dev zlib:zlib1g-dev libcrypto:libssl-dev; do
  pkg-config --exists "${library%%:*}" 2> /dev/null || missing+=("${library#*:}")
done
for tool in "$@"; do
  command -v "${tool#*:}" > /dev/null || missing+=("${tool%%:*}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get > /dev/null; then
  cat >&2 <<TEXT
setup: missing: ${missing[*]} (names of Debian's packages)
Install these, and the development files of libxml2, SQLite, zlib and OpenSSL, with your system's package manager.
Fedora: dnf install libxml2-devel sqlite-devel zlib-devel openssl-devel pkgconf-pkg-config
TEXT
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup: as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}" >&2
${as_root[@]+"${as_root[@]}"} apt-get update -q >&2
${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}" < /dev/null >&2
