#!/usr/bin/env bash
# Writes build/archive-convert_VERSION_ARCHITECTURE.deb from what `make package` made. Needs
# dpkg-dev, and lintian to check the result.
set -euo pipefail

cd "$(dirname "$0")/.."
version="$(build/package/archive-convert --version)"
architecture="$(dpkg --print-architecture)"
# The same sources make the same package.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH
maintainer="The ArchiveConverter authors <maintainers@archive-converter.invalid>"
root=build/deb/root
doc="$root/usr/share/doc/archive-convert"

rm -rf build/deb build/archive-convert_*.deb
mkdir -p build/deb/debian
make --no-print-directory install-files DESTDIR="$root" PREFIX=/usr ZSH_FOLDER=vendor-completions
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/archive-convert"
gzip -9n "$root/usr/share/man/man1/archive-convert.1"

install -d "$doc" "$root/DEBIAN" "$root/usr/share/lintian/overrides"
install -m 644 Packaging/copyright "$doc/copyright"
gzip -9n > "$doc/changelog.gz" <<TEXT
archive-convert ($version) unstable; urgency=low

  * CHANGELOG.md of the sources lists what is new.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
chmod 644 "$doc/changelog.gz"

# It is a part of Yams, which cannot be linked with another one.
echo 'archive-convert: embedded-library libyaml [usr/bin/archive-convert]' \
  > "$root/usr/share/lintian/overrides/archive-convert"

# The libraries that the program is linked with, in the versions that it needs.
printf 'Source: archive-convert\n\nPackage: archive-convert\nArchitecture: any\n' \
  > build/deb/debian/control
depends="$(cd build/deb && dpkg-shlibdeps -O root/usr/bin/archive-convert)"

(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
cat > "$root/DEBIAN/control" <<TEXT
Package: archive-convert
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: database
Priority: optional
Depends: ${depends#shlibs:Depends=}
Suggests: sqlite3
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: converter of keyed archives and Core Data stores to SQLite
 archive-convert reads what old Mac and iPhone apps left behind: property
 lists that NSKeyedArchiver wrote, binary or XML, and Core Data stores. It
 writes them into one SQLite database, with a table for each class, a column
 for each key and foreign keys for references.
 .
 It also verifies such a database against its archives, value by value,
 migrates Core Data stores to other versions of their model, and writes
 reports.
TEXT

package="build/archive-convert_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zxz --build "$root" "$package"
if command -v lintian > /dev/null; then
  lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$package"
else
  echo "deb: lintian is missing, so the package was not checked" >&2
fi
