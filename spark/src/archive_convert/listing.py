"""The files of a run, in the order in which one machine takes them.

The rules are those of `archive-convert run`: what is in a directory is ordered by name, links are
followed, each directory is searched once, and the parts of a database (its journals, the folder of
a Core Data store for large data) are no inputs of their own.
"""

from __future__ import annotations

import codecs
import mmap
import os
import re
import stat
import unicodedata
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

_JOURNALS = (b"-journal", b"-wal", b"-shm")
_DATABASE = b"SQLite format 3\0"
_STORE_MARK = b"TABLE Z_METADATA"
_STORE_MARK_RANGE = 64 << 20

Identity = tuple[int, int]


@dataclass(frozen=True)
class Entry:
    """A file that may be an archive."""

    path: bytes
    size: int
    modified: int


def entries(inputs: Iterable[bytes], leaving_out: Identity | None = None) -> Iterator[Entry]:
    """The files that inputs name, and those in directories, but for one directory."""
    seen: set[Identity] = set() if leaving_out is None else {leaving_out}
    for path in inputs:
        waiting = [iter([path])]
        while waiting:
            found = next(waiting[-1], None)
            if found is None:
                waiting.pop()
                continue
            status = _status(found)
            if status is None or not stat.S_ISDIR(status.st_mode):
                # Whatever else it is, the program says so.
                size, modified = (status.st_size, status.st_mtime_ns) if status else (0, 0)
                yield Entry(found, size, modified)
                continue
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            try:
                names = os.listdir(found)
            except OSError:
                yield Entry(found, 0, 0)
                continue
            waiting.append(_inside(found if found.endswith(b"/") else found + b"/", names))


def _inside(start: bytes, names: list[bytes]) -> Iterator[bytes]:
    parts = _parts_of_databases(start, names)
    names.sort(key=order)
    return (start + name for name in names if name not in parts)


def _status(path: bytes) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


# Order


def order(name: bytes) -> bytes:
    """The key by which the program sorts the name of a file.

    A byte that is no UTF-8, or part of a character that could be written otherwise, comes after all
    characters.
    """
    if name.isascii():
        return name
    try:
        valid: str | None = name.decode()
    except UnicodeDecodeError:
        valid = None
    is_composed = valid is None or unicodedata.is_normalized("NFC", valid)
    if valid is not None and is_composed and not _ESCAPES.search(valid):
        return name
    if is_composed:
        text = name.decode(errors=_as_character.__name__)
        if valid is not None:
            text = _ESCAPES.sub(lambda found: _escaped(found[0].encode()), text)
        if unicodedata.is_normalized("NFC", text):
            return text.encode()
    return _escaped(name).encode()


_ESCAPES = re.compile("[\U0010fe80-\U0010feff]")


def _escaped(name: bytes) -> str:
    return "".join(chr(byte if byte < 0x80 else 0x10FE00 + byte) for byte in name)


def _as_character(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _escaped(error.object[error.start : error.start + 1]), error.start + 1


codecs.register_error(_as_character.__name__, _as_character)


# Parts of databases


def _parts_of_databases(start: bytes, names: list[bytes]) -> set[bytes]:
    parts: set[bytes] = set()
    others: set[bytes] | None = None
    for name in names:
        if suffix := next((end for end in _JOURNALS if name.endswith(end)), None):
            others = others or set(names)
            database = name[: -len(suffix)]
            if database in others and _is_database(start + database):
                parts.add(name)
    folders = {n for n in names if n.startswith(b".") and n.endswith(b"_SUPPORT")}
    for name in names if folders else ():
        stem, dot, _ = name.rpartition(b".")
        folder = b"." + (stem if dot and stem else name) + b"_SUPPORT"
        if folder in folders and _is_store(start + name):
            parts.add(folder)
    return parts


def _is_database(path: bytes) -> bool:
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(_DATABASE)) == _DATABASE
    except OSError:
        return False


def _is_store(path: bytes) -> bool:
    return _is_database(path) and (_has_mark(path) or _has_mark(path + b"-wal"))


def _has_mark(path: bytes) -> bool:
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as content:
            return content.find(_STORE_MARK, 0, _STORE_MARK_RANGE) >= 0
    except (OSError, ValueError):
        return False


# Lists


def listed(file: BinaryIO, end: bytes) -> Iterator[bytes]:
    """The inputs that a list names, each followed by a byte."""
    rest = b""
    while part := file.read(1 << 20):
        *names, rest = (rest + part).split(end)
        yield from (name for name in names if name)
    if rest:
        yield rest


@dataclass(frozen=True)
class Listing:
    """All files of a run, listed in a file."""

    file: Path
    sizes: array[int]
    sha256: str

    @classmethod
    def write(cls, found: Iterable[Entry], file: Path) -> Listing:
        """Lists files."""
        sizes = array("q")
        digest = sha256()
        with open(file, "wb") as output:
            for entry in found:
                output.write(entry.path + b"\0")
                sizes.append(entry.size)
                digest.update(b"%s\0%d %d\0" % (entry.path, entry.size, entry.modified))
        return cls(file, sizes, digest.hexdigest())

    def cut(self, shards: int, name: Path) -> None:
        """Writes a list for each shard, of about as many bytes as any other."""
        numbers = iter(parts(self.sizes, shards))
        with open(self.file, "rb") as whole:
            paths = listed(whole, b"\0")
            number = next(numbers, shards)
            for shard in range(shards):
                with open(f"{name}-{shard + 1:05}", "wb") as output:
                    while number == shard:
                        output.write(next(paths) + b"\0")
                        number = next(numbers, shards)


def parts(sizes: Iterable[int], shards: int) -> Iterator[int]:
    """For each file, the number of its shard, from 0: shards are equal in bytes."""
    sizes = array("q", sizes)
    # Empty files count, too.
    total = sum(sizes) + len(sizes)
    before = 0
    for size in sizes:
        yield before * shards // total
        before += size + 1


def usual_shards(sizes: array[int]) -> int:
    """The number of shards unless one is asked for: 64 MiB or 5,000 files each, at most."""
    return max(1, -(-sum(sizes) // (64 << 20)), -(-len(sizes) // 5_000))
