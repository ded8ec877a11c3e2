"""A run from its inputs to its manifest, wherever shards are converted."""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from .errors import RunError
from .files import Row, locked, made, remove_others, scratch, sweep, write_json
from .listing import Listing, entries, usual_shards
from .manifest import Manifest
from .parquet import ParquetTask, parts
from .program import Program
from .stores import check_sqlite, counts, reading
from .tasks import ConvertTask, Executor, ProfileTask, Task, Work, join

_TURNS = 6
# Its rows are shared by shards.
_SHARED = {"_class"}

log = logging.getLogger("archive_convert")


@dataclass
class Run:
    """The choices of a run, and the time that its phases took."""

    over: Executor
    program: Program
    output: Path
    shards: int | None = None
    options: Sequence[str] = ()
    combine: bool = True
    parquet: bool = False
    verify: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    def convert(self, inputs: Iterable[bytes]) -> Manifest:
        """Converts all archives among the inputs."""
        check_sqlite()
        if self.parquet and not find_spec("pyarrow"):
            raise RunError("pyarrow is missing: pip install 'archive-convert-runners[parquet]'")
        self.output = self.output.absolute()
        self.output.mkdir(parents=True, exist_ok=True)
        if any(self.output.iterdir()) and not (self.output / "shards").exists():
            raise RunError(f"{self.output}: there are other files in it")
        (self.output / "shards").mkdir(exist_ok=True)
        with locked(self.output):
            work, manifest = self._list(inputs)
            plan, plan_sha256, manifest.mixed = self._plan(work)
            manifest.plan_sha256 = plan_sha256
            task = ConvertTask(work, plan, plan_sha256, self.verify)
            with self._phase("convert", work.shards):
                shards = self._do(task, _numbers(work))
            for row in shards:
                if row["plan_sha256"] != plan_sha256:
                    raise RunError(f"{row['file']}: it was made by another plan")
                manifest.shards.append(row | {"file": self._name(work.folder / row["file"])})
            manifest.archives = sum(row["archives"] for row in shards)
            manifest.failures = sum(row["failures"] for row in shards)
            if self.combine:
                with self._phase("combine"):
                    manifest.store = self._combine(task, shards)
            if self.parquet:
                with self._phase("parquet"):
                    manifest.parquet = self._write_parquet(work, plan_sha256)
            return self._publish(task, manifest)

    # Steps

    def _list(self, inputs: Iterable[bytes]) -> tuple[Work, Manifest]:
        """Lists all files, and cuts the list into shards."""
        folder = self.output / "shards"
        here = self.output.stat()
        with self._phase("list"):
            whole = scratch(folder / "list")
            try:
                found = entries(inputs, leaving_out=(here.st_dev, here.st_ino))
                listing = Listing.write(found, whole)
                if not listing.sizes:
                    raise RunError("there are no files to convert")
                shards = self.shards or usual_shards(listing.sizes)
                request = self._request(listing, shards)
                folder = folder / request[:16]
                earlier = Manifest.read(self.output)
                if earlier and earlier.request != request:
                    raise RunError(f"{self.output}: the result of another run is there")
                lists = folder / "lists.json"
                if not lists.exists():
                    folder.mkdir(exist_ok=True)
                    listing.cut(shards, folder / "list")
                    write_json(lists, {"shards": shards})
            finally:
                whole.unlink(missing_ok=True)
        manifest = Manifest(
            request,
            self.program.version,
            list(self.options),
            len(listing.sizes),
            sum(listing.sizes),
        )
        return Work(self.program, folder, shards), manifest

    def _request(self, listing: Listing, shards: int) -> str:
        """The digest of what the result depends on."""
        time = os.environ.get("SOURCE_DATE_EPOCH", "")
        texts = [self.program.version, listing.sha256, str(shards), time, str(self.verify)]
        digest = sha256("\0".join([*texts, *self.options]).encode())
        # Options may name files: mappings, models.
        values = [os.fsencode(text.partition("=")[2] or text) for text in self.options]
        for entry in entries(filter(os.path.exists, values)):
            digest.update(b"%s\0%d %d\0" % (entry.path, entry.size, entry.modified))
        return digest.hexdigest()

    def _plan(self, work: Work) -> tuple[Path, str, dict[str, list[str]]]:
        """Takes profiles until a plan needs no further ones."""
        latest = dict.fromkeys(_numbers(work), 0)
        stale = list(latest)
        options = tuple(self.options)
        for turn in range(_TURNS):
            with self._phase("profile", len(stale)):
                self._do(ProfileTask(work, turn, options), stale)
            latest |= dict.fromkeys(stale, turn)
            plan = work.folder / f"plan-{turn}"
            with self._phase("plan"):
                row = made(plan, partial(self._make_plan, work, latest))
            if not row["stale"]:
                return plan, row["plan_sha256"], row["mixed"]
            stale = row["stale"]
            options = ("--plan", str(plan))
        raise RunError(f"the plan has asked for further profiles {_TURNS} times")

    def _make_plan(self, work: Work, latest: dict[int, int], part: Path) -> Row:
        profiles = [str(work.profile(number, turn)) for number, turn in latest.items()]
        merged = scratch(work.folder / "profiles")
        try:
            self.program.unshipped.run("merge-profiles", *profiles, "-o", str(merged))
            done = self.program.unshipped.run("plan", str(merged), "-o", str(part))
        finally:
            merged.unlink(missing_ok=True)
        found = json.loads(done.stdout)
        return {
            "stale": found["stale"],
            "plan_sha256": found["sha256"],
            "mixed": found["mixed"],
        }

    def _combine(self, task: ConvertTask, shards: list[Row]) -> Row:
        """Makes the store of all, and counts its rows against those of the shards."""

        def make(part: Path) -> Row:
            stores = [str(task.store(row["shard"])) for row in shards]
            self.program.unshipped.run("combine", *stores, "-o", str(part), "--quiet")
            with reading(part) as store:
                found = counts(store)
            expected: Counter[str] = Counter()
            for row in shards:
                expected.update(row["rows"])
            for table in found.keys() | expected.keys():
                if table not in _SHARED and found.get(table, 0) != expected[table]:
                    raise RunError(
                        f"{table}: {found.get(table, 0)} rows, but {expected[table]} in the shards"
                    )
            return {"plan_sha256": task.plan_sha256, "rows": found}

        row = task.work.folder / f"combined-{task.plan_sha256[:16]}.json"
        return made(self.output / "store.sqlite", make, row)

    def _write_parquet(self, work: Work, plan_sha256: str) -> list[Row]:
        store = self.output / "store.sqlite"
        with reading(store) as connection:
            found = tuple(parts(connection))
        rows = work.folder / f"parquet-{plan_sha256[:16]}"
        rows.mkdir(exist_ok=True)
        task = ParquetTask(store, self.output / "parquet", rows, found)
        written = self._do(task, range(len(found)))
        return [row | {"file": f"parquet/{row['file']}"} for row in written]

    def _publish(self, task: ConvertTask, manifest: Manifest) -> Manifest:
        """Writes down what counts, and removes what does not."""
        failures = self.output / "failures.jsonl"
        part = scratch(failures)
        join([task.failures(number) for number in _numbers(task.work)], part)
        os.replace(part, failures)
        sweep(self.output)
        remove_others(task.work.folder)
        manifest.seconds = self.seconds
        manifest.write(self.output)
        return manifest

    # Parts of steps

    def _do(self, task: Task, numbers: Sequence[int]) -> list[Row]:
        rows = self.over(task, numbers)
        failed = [row for row in rows if "error" in row]
        if failed:
            words = [f"{row['number']} on {row['host']}: {row['error']}" for row in failed[:5]]
            more = f"\nand {len(failed) - 5} more" if len(failed) > 5 else ""
            raise RunError("shard " + "\nshard ".join(words) + more)
        return rows

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self.output))

    @contextmanager
    def _phase(self, name: str, count: int | None = None) -> Iterator[None]:
        start = time.monotonic()
        log.info("%s%s", name, "" if count is None else f": {count} shards")
        yield
        passed = time.monotonic() - start
        self.seconds[name] = round(self.seconds.get(name, 0) + passed, 3)


def _numbers(work: Work) -> range:
    return range(1, work.shards + 1)
