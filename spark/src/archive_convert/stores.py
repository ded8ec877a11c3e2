"""Stores, as far as runners look into them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from .errors import RunError

# What a store says of its own run, and what is there again in another form.
_OWN = {"_run", "_report", "_shard", "_original"}
# The first version that knows STRICT tables.
_SQLITE = (3, 37)


def check_sqlite() -> None:
    """Refuses a Python whose SQLite cannot read stores."""
    if sqlite3.sqlite_version_info < _SQLITE:
        raise RunError(f"Python has SQLite {sqlite3.sqlite_version}; stores need 3.37 or later")


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A store that nobody writes to."""
    # Without locks, which file systems of several machines may lack.
    store = sqlite3.connect(f"file:{quote(str(path.resolve()))}?immutable=1", uri=True)
    try:
        yield store
    finally:
        store.close()


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def tables(store: sqlite3.Connection) -> list[str]:
    """The tables with content: those of entities, of links, of collections, of archives."""
    rows = store.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"
    )
    return [name for (name,) in rows if name not in _OWN and not name.startswith("sqlite_")]


def counts(store: sqlite3.Connection) -> dict[str, int]:
    """The numbers of rows, by table."""
    return {
        name: store.execute(f"SELECT count(*) FROM {quoted(name)}").fetchone()[0]
        for name in tables(store)
    }
