"""Parquet files, and those who read them."""

from __future__ import annotations

import importlib.util
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from archive_convert import convert_on_processes
from archive_convert.parquet import ParquetTask, Part, parts
from archive_convert.stores import reading

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is missing"
)

VALUES: list[Any] = [2**53 + 1, -1, 0.5, float("inf"), "a\0b", "", b"\0\xff", None]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(
            'CREATE TABLE "a/b" (id INTEGER PRIMARY KEY NOT NULL, mixed ANY, text TEXT, real REAL, '
            "blob BLOB, price TEXT, price_number REAL AS (CAST(price AS REAL))) STRICT"
        )
        connection.execute("CREATE TABLE _run (id INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE none (id INTEGER PRIMARY KEY NOT NULL) STRICT")
        connection.execute("CREATE VIRTUAL TABLE _search USING fts5(text)")
        for number, value in enumerate(VALUES):
            connection.execute(
                'INSERT INTO "a/b" VALUES (?, ?, ?, ?, ?, ?)',
                (number + 1, value, "ä\0", number / 2, b"\0", "1.5" if number else None),
            )
    return path


def written(store: Path, found: list[Part] | None = None) -> Path:
    folder = store.parent / "parquet"
    with reading(store) as connection:
        task = ParquetTask(store, folder, store.parent, tuple(found or parts(connection)))
    for number in range(len(task.parts)):
        task(number)
    return folder


def test_the_types_are_those_of_the_table(store: Path) -> None:
    import pyarrow.parquet as parquet

    folder = written(store)
    assert sorted(path.name for path in folder.iterdir()) == ["a%2Fb", "none"]
    table = parquet.read_table(folder / "a%2Fb/part-00000.parquet")
    types = {field.name: str(field.type) for field in table.schema}
    assert types.pop("mixed") == "struct<int: int64, real: double, text: string, blob: binary>"
    assert types == {
        "id": "int64",
        "text": "string",
        "real": "double",
        "blob": "binary",
        "price": "string",
        "price_number": "double",
    }
    rows = table.to_pylist()
    assert [
        next((v for v in (row["mixed"] or {}).values() if v is not None), None) for row in rows
    ] == VALUES
    assert [key for key, value in rows[0]["mixed"].items() if value is not None] == ["int"]
    assert rows[-1]["mixed"] is None
    assert rows[0]["text"] == "ä\0"
    assert [row["price_number"] for row in rows[:2]] == [None, 1.5]
    assert parquet.read_table(folder / "none").num_rows == 0


def test_parts_hold_each_row_once_and_have_one_schema(store: Path) -> None:
    import pyarrow.parquet as parquet

    found = [Part("a/b", 0, 1, 3), Part("a/b", 1, 4, 4), Part("a/b", 2, 5, 8)]
    folder = written(store, found) / "a%2Fb"
    files = sorted(folder.iterdir())
    assert [parquet.read_table(file)["id"].to_pylist() for file in files] == [
        [1, 2, 3],
        [4],
        [5, 6, 7, 8],
    ]
    assert len({str(parquet.read_schema(file)) for file in files}) == 1


def test_duckdb_and_pandas_read_exact_values(store: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    folder = written(store) / "a%2Fb"
    query = f"SELECT mixed.int, mixed.text, mixed IS NULL FROM '{folder}/*.parquet' ORDER BY id"
    rows = duckdb.sql(query).fetchall()
    assert rows[0] == (2**53 + 1, None, False)
    assert rows[4] == (None, "a\0b", False)
    assert rows[7] == (None, None, True)
    frame = pandas.read_parquet(folder, dtype_backend="pyarrow")
    assert frame["mixed"][0]["int"] == 2**53 + 1
    assert frame["id"].tolist() == list(range(1, 9))


def test_a_run_writes_the_rows_of_its_store(archives: Path, program: str, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    output = tmp_path / "out"
    made = convert_on_processes([archives], output, shards=3, program=program, parquet=True)
    assert made.store
    found = {row["table"]: parquet.read_table(output / row["file"]) for row in made.parquet}
    assert {name: table.num_rows for name, table in found.items()} == made.store["rows"]
    structs = {
        name: [field.name for field in table.schema if str(field.type).startswith("struct")]
        for name, table in found.items()
        if not name.startswith("_")
    }
    assert {name: columns for name, columns in structs.items() if columns} == made.mixed
    assert made.mixed["Note"] == ["mixed"]
    numbers = found["Note"]["number"].to_pylist()
    with sqlite3.connect(output / "store.sqlite") as store:
        expected = [n for (n,) in store.execute("SELECT number FROM Note ORDER BY id")]
    assert numbers == expected
    assert 2**53 + 1 in numbers
