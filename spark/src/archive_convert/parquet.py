"""Parquet files of a store, with one schema for each table."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .files import Row, made
from .program import host
from .stores import quoted, reading, tables

# The most rows of a file, and of a batch.
_PART = 1_000_000
_BATCH = 1 << 16
# The fields of a value in a column with values of several types.
_FIELDS = {"int": int, "real": float, "text": str, "blob": bytes}


@dataclass(frozen=True)
class Part:
    """Some rows of a table."""

    table: str
    number: int
    first: int
    last: int

    @property
    def file(self) -> Path:
        """The file, in the folder of all."""
        # No name is hidden, or two folders, or a pattern.
        name = re.sub(r"^\.|[^\w .$()-]", _escaped, self.table)
        return Path(name, f"part-{self.number:05}.parquet")


def _escaped(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def parts(store: sqlite3.Connection) -> list[Part]:
    """The parts of all tables; an empty table has one, too."""
    found: list[Part] = []
    for table in tables(store):
        last = store.execute(f"SELECT max(rowid) FROM {quoted(table)}").fetchone()[0] or 1
        starts = range(1, last + 1, _PART)
        found += [
            Part(table, number, first, first + _PART - 1) for number, first in enumerate(starts)
        ]
    return found


@dataclass(frozen=True)
class ParquetTask:
    """The files of parts of a store."""

    store: Path
    folder: Path
    rows: Path
    parts: tuple[Part, ...]

    def __call__(self, number: int, /) -> Row:
        part = self.parts[number]
        path = self.folder / part.file
        path.parent.mkdir(parents=True, exist_ok=True)
        row = self.rows / f"parquet-{number:05}.json"
        made_row = made(path, lambda scratch: self._write(part, scratch), row)
        return made_row | {"table": part.table, "file": str(part.file), "host": host()}

    def _write(self, part: Part, path: Path) -> Row:
        import pyarrow.parquet

        with reading(self.store) as store:
            columns = columns_of(store, part.table)
            names = ", ".join(quoted(name) for name, _ in columns)
            schema = pyarrow.schema([(name, _type(declared)) for name, declared in columns])
            rows = store.execute(
                f"SELECT {names} FROM {quoted(part.table)} WHERE rowid BETWEEN ? AND ? "
                "ORDER BY rowid",
                (part.first, part.last),
            )
            total = 0
            with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
                while batch := rows.fetchmany(_BATCH):
                    total += len(batch)
                    arrays = [
                        _array(values, declared)
                        for values, (_, declared) in zip(zip(*batch), columns)
                    ]
                    writer.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))
        return {"rows": total}


def columns_of(store: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    """The columns of a table with their declared types, computed ones included."""
    rows = store.execute("SELECT name, type FROM pragma_table_xinfo(?)", (table,))
    return [(name, declared.split()[0].upper()) for name, declared in rows]


def _type(declared: str) -> Any:
    import pyarrow

    types = {
        "INT": pyarrow.int64(),
        "INTEGER": pyarrow.int64(),
        "REAL": pyarrow.float64(),
        "TEXT": pyarrow.string(),
        "BLOB": pyarrow.binary(),
    }
    if declared != "ANY":
        return types[declared]
    names = {"int": "INTEGER", "real": "REAL", "text": "TEXT", "blob": "BLOB"}
    return pyarrow.struct([(name, types[names[name]]) for name in _FIELDS])


def _array(values: Sequence[object], declared: str) -> Any:
    import pyarrow

    if declared != "ANY":
        return pyarrow.array(values, _type(declared))
    kind = _type(declared)
    fields = [
        pyarrow.array([value if type(value) is python else None for value in values], field.type)
        for field, python in zip(kind, _FIELDS.values())
    ]
    nulls = pyarrow.array([value is None for value in values], pyarrow.bool_())
    return pyarrow.StructArray.from_arrays(fields, fields=list(kind), mask=nulls)
