#!/usr/bin/env bash
# Writes what `make package` made to build/archive-convert-VERSION-SYSTEM-MACHINE.tar.xz, and the
# sources of the last commit to build/archive-convert-VERSION-source.tar.xz, with their checksums.
set -euo pipefail

cd "$(dirname "$0")/.."
name="archive-convert-$(build/package/archive-convert --version)"
binary="$name-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)"
# The same sources make the same files.
epoch="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"

rm -rf build/tarball "build/$name"*
mkdir -p build/tarball
make --no-print-directory install-files DESTDIR="build/tarball/$binary" PREFIX=
cp LICENSE Packaging/copyright "build/tarball/$binary"
tar -C build/tarball --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
  -cJf "build/$binary.tar.xz" "$binary"
git archive --prefix="$name/" HEAD | xz > "build/$name-source.tar.xz"
(cd build && sha256sum "$binary.tar.xz" "$name-source.tar.xz" | tee "$name.sha256")
