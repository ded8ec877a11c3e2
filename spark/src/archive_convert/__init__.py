"""Runners that convert a huge number of archives with archive-convert."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import RunError
from .executors import over_processes, over_spark, ship
from .manifest import Manifest
from .program import Program
from .run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Manifest", "RunError", "convert_on_processes", "convert_on_spark"]

Paths = Iterable["str | bytes | os.PathLike[str]"]


def convert_on_processes(
    inputs: Paths,
    output: str | os.PathLike[str],
    *,
    shards: int | None = None,
    jobs: int | None = None,
    options: Sequence[str] = (),
    program: str | None = None,
    combine: bool = True,
    parquet: bool = False,
    verify: bool = False,
) -> Manifest:
    """Converts archives on this machine, several shards at a time.

    Args:
        inputs: Archives, and directories to search for archives.
        output: The folder of all files that are written. A run that was interrupted goes on there.
        shards: The number of shards; by default, of 64 MiB or 5,000 files each.
        jobs: The number of shards at a time; by default, that of processors.
        options: Options of `archive-convert profile` that say what becomes of archives.
        program: The path of archive-convert; by default, what PATH leads to.
        combine: Whether to make one store of all shards, `store.sqlite`.
        parquet: Whether to write Parquet files of that store, too.
        verify: Whether to compare the store of each shard with its archives.

    Raises:
        RunError: If a shard cannot be converted. What is done is kept for the next run.
    """
    found = Program.find(program)
    run = Run(over_processes(jobs), found, Path(output), shards, options, combine, parquet, verify)
    return run.convert(map(os.fsencode, inputs))


def convert_on_spark(
    spark: SparkSession,
    inputs: Paths,
    output: str | os.PathLike[str],
    *,
    shards: int | None = None,
    options: Sequence[str] = (),
    program: str | None = None,
    combine: bool = True,
    parquet: bool = False,
    verify: bool = False,
) -> Manifest:
    """Converts archives on Spark, one task for each shard.

    Inputs and output are in folders that all machines see; only numbers go through Spark. See
    `convert_on_processes` for what else there is.

    Args:
        spark: The session: a classic one, or one of Spark Connect.
        program: The path of archive-convert on every machine; by default, Spark ships the one that
            PATH leads to.
    """
    found = Program.find(program, is_shipped=program is None)
    if found.is_shipped:
        ship(found, spark)
    run = Run(over_spark(spark), found, Path(output), shards, options, combine, parquet, verify)
    return run.convert(map(os.fsencode, inputs))
