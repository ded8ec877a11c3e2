"""The command archive-convert-many."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

from . import Manifest, RunError, convert_on_processes, convert_on_spark
from .listing import listed

_USAGE_ERROR = 64


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(_USAGE_ERROR, f"{self.prog}: {message}\n")


def _parser() -> _Parser:
    parser = _Parser(
        prog="archive-convert-many",
        usage="%(prog)s INPUT… -o FOLDER [options] [-- options of archive-convert profile]",
        description="Converts a huge number of archives in shards: several at a time, or on Spark.",
        epilog="Exit codes: 0 all converted; 1 finished, but an archive was rejected; 2 the run "
        "could not be finished: the same command goes on with it; 64 usage error.",
    )
    add = parser.add_argument
    add("inputs", nargs="*", metavar="INPUT", help="an archive, or a directory to search")
    add("-o", "--output", required=True, metavar="FOLDER", help="the folder to write into")
    add("--files-from", metavar="LIST", help="also take inputs from a list, one a line; - is stdin")
    add("-0", "--null", action="store_true", help="the names of the list end with a zero byte")
    add("--shards", type=int, metavar="N", help="the number of shards (64 MiB or 5,000 files each)")
    add("--jobs", type=int, metavar="N", help="the number of shards at a time (that of processors)")
    add("--on", choices=["processes", "spark"], help="where to convert (processes)")
    add("--master", metavar="URL", help="on Spark: local[4], spark://host:7077, sc://host:15002")
    add("--no-combine", action="store_true", help="leave the stores of shards as they are")
    add("--parquet", action="store_true", help="also write Parquet files of each table")
    add("--verify", action="store_true", help="compare each store with the archives")
    add("--program", metavar="PATH", help="archive-convert, which is on PATH by default")
    add("-q", "--quiet", action="store_true", help="print errors only")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    end = given.index("--") if "--" in given else len(given)
    asked = parser.parse_args(given[:end])
    if not asked.inputs and not asked.files_from:
        parser.error("name archives or directories, or a list of them")
    if asked.parquet and asked.no_combine:
        parser.error("--parquet needs the store of all: leave out --no-combine")
    for name in ("shards", "jobs"):
        if getattr(asked, name) is not None and getattr(asked, name) < 1:
            parser.error(f"--{name} is a number from 1")
    if asked.jobs and (asked.master or asked.on == "spark"):
        parser.error("--jobs is for processes; Spark knows its own cores")
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("archive_convert").setLevel("WARNING" if asked.quiet else "INFO")
    try:
        manifest = _convert(asked, given[end + 1 :])
    except RunError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # Nobody waits for threads that wait for children: these end with this process.
        os._exit(130)
    if not asked.quiet:
        print(
            f"Converted {manifest.archives:,} archives, {manifest.failures:,} failures, "
            f"in {sum(manifest.seconds.values()):.1f} s → {asked.output}"
        )
    return 1 if manifest.failures else 0


def _convert(asked: argparse.Namespace, options: Sequence[str]) -> Manifest:
    on_spark = asked.on == "spark" or (asked.on is None and asked.master)
    choices = {
        "shards": asked.shards,
        "options": options,
        "program": asked.program,
        "combine": not asked.no_combine,
        "parquet": asked.parquet,
        "verify": asked.verify,
    }
    inputs = _inputs(asked)
    if not on_spark:
        return convert_on_processes(inputs, asked.output, jobs=asked.jobs, **choices)
    # Workers are to be of the same Python.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise RunError("pyspark is missing: pip install 'archive-convert-runners[spark]'") from None
    builder = SparkSession.builder.appName("archive-convert")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    master = asked.master or ""
    if master.startswith("local"):
        builder = builder.config("spark.ui.enabled", "false")
        for name in ("host", "bindAddress"):
            builder = builder.config(f"spark.driver.{name}", "127.0.0.1")
    if master:
        is_connect = master.startswith("sc://")
        builder = builder.remote(master) if is_connect else builder.master(master)
    try:
        spark = builder.getOrCreate()
        try:
            return convert_on_spark(spark, inputs, asked.output, **choices)
        finally:
            spark.stop()
    except (PySparkException, Py4JError) as error:
        words = str(error).strip().splitlines()[:2]
        raise RunError(f"Spark: {' '.join(words)}") from error


def _inputs(asked: argparse.Namespace) -> Iterator[bytes]:
    yield from map(os.fsencode, asked.inputs)
    if asked.files_from:
        end = b"\0" if asked.null else b"\n"
        if asked.files_from == "-":
            yield from listed(sys.stdin.buffer, end)
        else:
            try:
                with open(asked.files_from, "rb") as file:
                    yield from listed(file, end)
            except OSError as error:
                raise RunError(f"{asked.files_from}: {error.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
