"""Files that are there when they are whole, each with a row of facts beside it."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from .errors import RunError

# Facts, as JSON has them.
Row = dict[str, Any]


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    found = sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            found.update(part)
    return found.hexdigest()


def scratch(path: Path) -> Path:
    """A name beside a file that no other attempt has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def write_json(path: Path, value: object) -> None:
    """Writes a value, whole or not at all."""
    part = scratch(path)
    part.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
    os.replace(part, path)


def row_of(path: Path) -> Path:
    """The name of the row of a file."""
    return path.with_name(path.name + ".json")


def made(path: Path, make: Callable[[Path], Row], row: Path | None = None) -> Row:
    """Makes a file under a name of this attempt's own, unless it is there and whole.

    The row is written last: without one, the file is made again.
    """
    row = row or row_of(path)
    if known := _known(path, row):
        return known
    part = scratch(path)
    start = time.monotonic()
    try:
        facts = make(part)
        facts |= {"file": path.name, "bytes": part.stat().st_size, "sha256": digest(part)}
        facts["seconds"] = round(time.monotonic() - start, 3)
        os.replace(part, path)
        write_json(row, facts)
        return facts
    finally:
        part.unlink(missing_ok=True)


def _known(path: Path, row: Path) -> Row | None:
    try:
        known: Row = json.loads(row.read_text("utf-8"))
        if known["bytes"] == path.stat().st_size and known["sha256"] == digest(path):
            return known
    except (OSError, ValueError, KeyError):
        pass
    return None


def sweep(folder: Path) -> None:
    """Removes what attempts that were killed have left."""
    for path in folder.rglob(".*"):
        if path.name.endswith((".part", ".convert-partial", ".convert-partial-journal")):
            path.unlink(missing_ok=True)


def remove_others(folder: Path) -> None:
    """Removes what else is in the folder that a folder is in."""
    for path in folder.parent.iterdir():
        if path != folder:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other runs from writing into a folder; the system forgets it when the process ends."""
    with open(folder / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{folder}: another run is writing into it") from None
        yield
