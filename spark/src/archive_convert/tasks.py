"""What is done for each shard, on whatever machine."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .errors import RunError
from .files import Row, made
from .program import Program, host
from .stores import counts, reading


class Task(Protocol):
    """The work on each of some numbered parts, which can be sent to another machine."""

    def __call__(self, number: int, /) -> Row:
        """Does the work on a part."""


# The part of a run that says where tasks are done.
Executor = Callable[[Task, Sequence[int]], list[Row]]


def attempted(task: Task, number: int) -> Row:
    """The row of a part; of one that cannot be done, with the reason.

    An error would be met again by each further attempt, and cost the rows of other parts.
    """
    try:
        return {"number": number} | task(number)
    except (RunError, OSError) as error:
        return {"number": number, "host": host(), "error": str(error)}


@dataclass(frozen=True)
class Work:
    """A run that is divided into shards."""

    program: Program
    # The folder of the lists, the profiles, the plans and the stores.
    folder: Path
    shards: int

    def arguments(self, number: int) -> list[str]:
        """The arguments that say which shard is meant."""
        files = self.folder / f"list-{number:05}"
        shard = f"{number}/{self.shards}"
        return ["--shard", shard, "--files-from", str(files), "--null", "--jobs", "1"]

    def profile(self, number: int, turn: int) -> Path:
        """The file of a profile that was taken at a turn."""
        return self.folder / f"profile-{number:05}-{turn}"


@dataclass(frozen=True)
class ProfileTask:
    """The profiles of shards: the first ones, or those that a plan asks for."""

    work: Work
    turn: int
    options: tuple[str, ...]

    def __call__(self, number: int, /) -> Row:
        def make(part: Path) -> Row:
            self.work.program.check()
            shard = self.work.arguments(number)
            self.work.program.run(
                "profile", *shard, "-o", str(part), *self.options, end_with_parent=True
            )
            return {"shard": number}

        return made(self.work.profile(number, self.turn), make)


@dataclass(frozen=True)
class ConvertTask:
    """The stores of shards."""

    work: Work
    plan: Path
    plan_sha256: str
    verify: bool

    def store(self, number: int) -> Path:
        """The store of a shard: its name tells by which plan."""
        return self.work.folder / f"store-{number:05}-{self.plan_sha256[:16]}.sqlite"

    def failures(self, number: int) -> Path:
        """The file with the failures of a shard, one a line."""
        return self.store(number).with_suffix(".failures")

    def __call__(self, number: int, /) -> Row:
        return made(self.store(number), lambda part: self._make(number, part))

    def _make(self, number: int, part: Path) -> Row:
        self.work.program.check()
        full = part.with_name(part.name + ".full.part")
        lost = part.with_name(part.name + ".failures.part")
        arguments = ["--plan", str(self.plan), *self.work.arguments(number), "-o", str(part)]
        arguments += ["--quiet", "--report-full", str(full)]
        with _removed(full, lost):
            self.work.program.run(
                "run", *arguments, *(["--verify"] if self.verify else []), end_with_parent=True
            )
            failures = _copy_failures(full, lost)
            with reading(part) as store:
                rows = counts(store)
                (plan,) = store.execute("SELECT plan_sha256 FROM _shard").fetchone()
            os.replace(lost, self.failures(number))
        facts = {"shard": number, "host": host(), "plan_sha256": plan}
        return facts | {"archives": rows["_archive"], "failures": failures, "rows": rows}


def _copy_failures(report: Path, output: Path) -> int:
    """Copies what a report has of archives that were not converted; returns their number."""
    count = 0
    with open(output, "w", encoding="utf-8") as failures:
        if report.exists():
            with open(report, encoding="utf-8") as lines:
                for line in lines:
                    entry = json.loads(line)
                    if entry.pop("list") == "rejected":
                        failures.write(json.dumps(entry, ensure_ascii=False) + "\n")
                        count += 1
    return count


@contextmanager
def _removed(*paths: Path) -> Iterator[None]:
    try:
        yield
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def join(paths: Sequence[Path], output: Path) -> None:
    """Writes files one after another into one."""
    with open(output, "wb") as whole:
        for path in paths:
            with open(path, "rb") as file:
                shutil.copyfileobj(file, whole)
