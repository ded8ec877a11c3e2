"""Archives, the program, and Spark for the tests."""

from __future__ import annotations

import importlib.util
import os
import plistlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2] / "SampleArchives"
# A time for all runs, so that their stores can be compared.
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


@pytest.fixture(scope="session")
def program() -> str:
    found = os.environ.get("ARCHIVE_CONVERT") or shutil.which("archive-convert")
    assert found, "set ARCHIVE_CONVERT to the path of the program"
    return os.path.abspath(found)


def keyed(class_name: str, **values: Any) -> bytes:
    """An archive of one object with values of its keys."""
    objects: list[Any] = ["$null", {"$class": plistlib.UID(2)}]
    objects.append({"$classname": class_name, "$classes": [class_name, "NSObject"]})
    for key, value in values.items():
        is_inline = isinstance(value, bool | int | float)
        objects[1][key] = value if is_inline else plistlib.UID(len(objects))
        objects += [] if is_inline else [value]
    return plistlib.dumps(
        {
            "$version": 100_000,
            "$archiver": "NSKeyedArchiver",
            "$top": {"root": plistlib.UID(1)},
            "$objects": objects,
        },
        fmt=plistlib.FMT_BINARY,
    )


# Names that order by components, by bytes, and by what is no UTF-8.
NAMES = [
    b"a b/1",
    b"a/1",
    b"a-b",
    b"a.archive",
    b".hidden",
    "\u00e9".encode(),
    "e\u0301".encode(),
    "\u00fc/\u00e9".encode(),
    "u/e\u0301/o".encode(),
    "\u00fc/e\u0301/\u00e9".encode(),
    b"\xe9",
    b"\xff/x",
    "\uff21".encode(),
    "\U0001f600".encode(),
    b"line\nbreak",
]


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """A folder with archives of all kinds of names, copies, mixed types, and what is no archive."""
    folder = tmp_path / "in"
    for number, name in enumerate(NAMES):
        path = os.fsencode(folder) + b"/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        value: Any = [number, number / 3, f"{number}", bytes([number, 0]), 2**53 + 1][number % 5]
        content = keyed("Note", title=f"note\0{number}", number=2**53 + number, mixed=value)
        Path(os.fsdecode(path)).write_bytes(content)
    shutil.copytree(SAMPLES, folder / "samples")
    shutil.copy(SAMPLES / "Expenses.archive", folder / "Expenses copy")
    shutil.copy(SAMPLES / "Expenses.archive", folder / "zzz")
    (folder / "a/link").symlink_to("../samples", target_is_directory=True)
    (folder / "a/broken link").symlink_to("nowhere")
    (folder / "poisoned.archive").write_bytes(keyed("Note", title="lost")[:-40])
    (folder / "text.txt").write_text("no archive")
    (folder / "empty").write_bytes(b"")
    return folder


@pytest.fixture(scope="session")
def dump() -> Callable[[Path], str]:
    def dump(store: Path) -> str:
        import sqlite3

        with sqlite3.connect(store) as connection:
            return "\n".join(connection.iterdump())

    return dump


@pytest.fixture
def one_machine(program: str, tmp_path: Path, dump: Callable[[Path], str]) -> Callable[..., str]:
    """The dump of the store that one machine writes."""

    def run(*arguments: str | Path) -> str:
        store = tmp_path / "one.sqlite"
        command = [program, "run", *map(str, arguments), "-o", str(store), "--quiet"]
        done = subprocess.run([*command, "--if-exists", "replace"], capture_output=True)
        assert done.returncode in (0, 1), done.stderr
        return dump(store)

    return run


def wait_for(condition: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """The first result that is true; fails if there is none for so long."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.01)
    return found


def stop_once(folder: Path, program: str, name: str) -> Path:
    """A program that stops before a step, the first time."""
    script = folder / "stopping"
    script.write_text(
        f"""#!/bin/bash
case "$*" in *{name}*)
  if mkdir '{folder}/once' 2> /dev/null; then
    echo $$ > '{folder}/pid'
    mv '{folder}/pid' '{folder}/stopped'
    kill -STOP $$
  fi ;;
esac
exec '{program}' "$@"
"""
    )
    script.chmod(0o755)
    return script


def stopped(path: Path) -> int | None:
    """The process that has written its number into a file and stopped."""
    if not path.exists():
        return None
    pid = int(path.read_text())
    state = Path(f"/proc/{pid}/stat")
    return (
        pid if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "T" else None
    )


# Spark


def missing_for_spark() -> str | None:
    """What Spark needs and is not here, in words."""
    for module in ("pyspark", "pyarrow"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is missing"
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(os.path.join(home, "bin/java") if home else "java")
    if java is None:
        return "Java is missing"
    words = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(\d+)', words)
    return None if version and int(version[1]) >= 17 else "Java is older than 17, or does not run"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("REQUIRE_SPARK") == "1" or not (missing := missing_for_spark()):
        return
    for item in items:
        if "spark" in item.path.name:
            item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    yield session
    session.stop()
