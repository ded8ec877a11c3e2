"""The order of files, and how they are cut into shards."""

from __future__ import annotations

import io
import os
import sqlite3
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import keyed
from hypothesis import given
from hypothesis import strategies as st

from archive_convert.listing import Listing, entries, listed, order, parts, usual_shards

sizes = st.lists(st.integers(0, 1 << 40), max_size=50)


@given(sizes, st.integers(1, 64))
def test_shards_are_in_order_and_equal_in_bytes(sizes: list[int], shards: int) -> None:
    numbers = list(parts(sizes, shards))
    assert len(numbers) == len(sizes)
    assert numbers == sorted(numbers)
    assert all(0 <= number < shards for number in numbers)
    largest = max(sizes, default=0) + 1
    share = (sum(sizes) + len(sizes)) / shards
    for shard in set(numbers):
        assert sum(s + 1 for s, n in zip(sizes, numbers) if n == shard) <= share + largest


@given(st.lists(st.binary(min_size=1).filter(lambda name: b"\0" not in name)), st.integers(1, 9))
def test_lists_of_shards_hold_each_path_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, paths: list[bytes], shards: int
) -> None:
    folder = tmp_path_factory.mktemp("lists")
    (folder / "whole").write_bytes(b"".join(path + b"\0" for path in paths))
    Listing(folder / "whole", array("q", [1] * len(paths)), "").cut(shards, folder / "list")
    found = [(folder / f"list-{n:05}").read_bytes() for n in range(1, shards + 1)]
    assert b"".join(found) == (folder / "whole").read_bytes()
    assert list(listed(io.BytesIO(b"".join(found)), b"\0")) == paths


def test_a_shard_holds_64_mib_or_5000_files() -> None:
    assert usual_shards(array("q", [0] * 5_000)) == 1
    assert usual_shards(array("q", [0] * 5_001)) == 2
    assert usual_shards(array("q", [1 << 30])) == 16


@given(st.lists(st.binary(min_size=1, max_size=6)))
def test_the_order_of_utf8_is_that_of_bytes(names: list[bytes]) -> None:
    texts = [name for name in names if name.isascii()]
    assert sorted(texts, key=order) == sorted(texts)
    assert len({order(name) for name in names}) == len(set(names))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (b"a", "\u00e9".encode()),
        ("\uff21".encode(), b"\xe9"),
        ("e\uff21".encode(), "e\u0301".encode()),
        ("\u00e9\u00e9".encode(), "\u00e9".encode() + b"\xe9"),
    ],
)
def test_bytes_that_are_no_utf8_come_last(first: bytes, second: bytes) -> None:
    assert order(first) < order(second)


def test_parts_of_databases_are_no_files(tmp_path: Path) -> None:
    for name in ("notes.db", "store.sqlite"):
        with sqlite3.connect(tmp_path / name) as store:
            store.execute(f"CREATE TABLE {'Z_METADATA' if name[0] == 's' else 'note'} (a)")
    for name in ("notes.db-wal", "notes.db-shm", "text-wal", "text", "other-journal"):
        (tmp_path / name).write_text("x")
    for name in (".notes_SUPPORT", ".store_SUPPORT"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data").write_text("x")
    found = [os.path.relpath(entry.path, os.fsencode(tmp_path)) for entry in entries(_(tmp_path))]
    assert found == [
        b".notes_SUPPORT/data",
        b"notes.db",
        b"other-journal",
        b"store.sqlite",
        b"text",
        b"text-wal",
    ]


def test_each_folder_is_searched_once_and_the_output_never(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/up").symlink_to("..")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "out").mkdir()
    for name in ("a/1", "2", "out/3"):
        (tmp_path / name).write_bytes(keyed("Note"))
    status = (tmp_path / "out").stat()
    found = entries(_(tmp_path), leaving_out=(status.st_dev, status.st_ino))
    assert [os.path.relpath(e.path, os.fsencode(tmp_path)) for e in found] == [b"2", b"a/1"]


def _(path: Path) -> list[bytes]:
    return [os.fsencode(path)]


def test_one_machine_takes_files_in_this_order(
    archives: Path, one_machine: Callable[..., str], tmp_path: Path
) -> None:
    one_machine(archives)
    with sqlite3.connect(tmp_path / "one.sqlite") as store:
        taken = [path for (path,) in store.execute("SELECT path FROM _archive ORDER BY id")]
    paths = [entry.path for entry in entries(_(archives))]
    # The program shows bytes that are no text as \xE9.
    shown = [path.decode(errors="surrogateescape") for path in paths]
    shown = [
        "".join(c if c < "\udc80" or c > "\udcff" else f"\\x{ord(c) - 0xDC00:X}" for c in p)
        for p in shown
    ]
    assert len(taken) > 20
    assert [path for path in shown if path in taken] == taken
