"""Places where tasks are done: processes of this machine, or Spark."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .errors import RunError
from .files import Row
from .parquet import ParquetTask
from .program import Program
from .tasks import Executor, Task, attempted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def over_processes(jobs: int | None = None) -> Executor:
    """Does tasks on this machine, so many at a time."""

    count = jobs or cores()

    def run(task: Task, numbers: Sequence[int]) -> list[Row]:
        pool = ThreadPoolExecutor(count)
        try:
            if not isinstance(task, ParquetTask):
                return list(pool.map(lambda number: attempted(task, number), numbers))
            # Threads wait for the program, but Python needs processes of its own.
            slices = [numbers[start::count] for start in range(min(count, len(numbers)))]
            rows = [
                row for part in pool.map(lambda part: _rows(task, part), slices) for row in part
            ]
            return sorted(rows, key=lambda row: int(row["number"]))
        finally:
            # Who interrupts a run does not wait for shards.
            pool.shutdown(wait=False, cancel_futures=True)

    return run


def _rows(task: Task, numbers: Sequence[int]) -> list[Row]:
    """The rows of a task that another Python does."""
    command = [sys.executable, "-m", __name__]
    done = subprocess.run(
        command, input=pickle.dumps((task, numbers)), capture_output=True, check=False
    )
    if done.returncode != 0:
        raise RunError(done.stderr.decode(errors="replace").strip())
    rows: list[Row] = json.loads(done.stdout)
    return rows


def over_spark(spark: SparkSession) -> Executor:
    """Does tasks on Spark, one row each: a session of its own, or one of Spark Connect."""
    from pyspark import cloudpickle

    import archive_convert

    # The workers need no package but pyarrow.
    cloudpickle.register_pickle_by_value(archive_convert)

    def run(task: Task, numbers: Sequence[int]) -> list[Row]:
        if not numbers:
            return []

        def rows(batches: Iterable[Any]) -> Iterator[Any]:
            import pyarrow

            for batch in batches:
                for index in batch.column(0).to_pylist():
                    row = json.dumps(attempted(task, numbers[index]))
                    yield pyarrow.RecordBatch.from_pydict({"row": [row]})

        # A partition for each number: other ways leave some empty, and others with several.
        count = len(numbers)
        found = spark.range(0, count, 1, count).mapInArrow(rows, "row string").collect()
        return sorted((json.loads(row.row) for row in found), key=lambda row: int(row["number"]))

    return run


def ship(program: Program, spark: SparkSession) -> None:
    """Has Spark bring the program to each machine."""
    spark.addArtifacts(program.path, file=True)


if __name__ == "__main__":
    given, parts = pickle.load(sys.stdin.buffer)
    json.dump([attempted(given, part) for part in parts], sys.stdout)
