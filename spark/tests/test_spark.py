"""Runs on Spark: in one process, and on a cluster of two workers on this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import stop_once, stopped, wait_for

from archive_convert import RunError, convert_on_spark

Dump = Callable[[Path], str]
OneMachine = Callable[..., str]


@pytest.mark.parametrize("shards", [1, 7])
def test_the_store_is_that_of_one_machine(
    shards: int,
    spark: Any,
    archives: Path,
    program: str,
    one_machine: OneMachine,
    dump: Dump,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/archive-convert").symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    output = tmp_path / "out"
    made = convert_on_spark(spark, [archives], output, shards=shards, parquet=True)
    assert dump(output / "store.sqlite") == one_machine(archives)
    assert (len(made.shards), made.failures) == (shards, 1)
    notes = spark.read.parquet(str(output / "parquet/Note"))
    assert dict(notes.dtypes)["mixed"] == "struct<int:bigint,real:double,text:string,blob:binary>"
    assert [row.number for row in notes.orderBy("id").select("number").collect()][1] == 2**53 + 1
    assert spark.read.parquet(str(output / "parquet/_archive")).count() == made.archives


def test_a_shard_that_fails_is_named_with_its_host(
    spark: Any, archives: Path, tmp_path: Path
) -> None:
    program = tmp_path / "failing"
    script = "echo 1; case $1 in profile) echo disk full >&2; exit 3;; esac"
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(RunError) as error:
        convert_on_spark(spark, [archives], tmp_path / "out", shards=2, program=str(program))
    words = f"on {socket.gethostname()}: profile: exit code 3: disk full"
    assert str(error.value).splitlines() == [f"shard 1 {words}", f"shard 2 {words}"]


def test_workers_need_no_package(archives: Path, program: str, tmp_path: Path) -> None:
    from pyspark import cloudpickle

    import archive_convert
    from archive_convert.program import Program
    from archive_convert.tasks import ProfileTask, Work, attempted

    cloudpickle.register_pickle_by_value(archive_convert)
    (tmp_path / "list-00001").write_text(f"{archives}/poisoned.archive\0")
    task = ProfileTask(Work(Program.find(program), tmp_path, 1), 0, ())
    code = (
        "import sys, pickle; sys.modules['archive_convert'] = None; "
        "do, task = pickle.load(sys.stdin.buffer); print(do(task, 1).get('error'))"
    )
    given = cloudpickle.dumps((attempted, task))
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True)
    assert (done.stdout, done.stderr) == (b"None\n", b"")


# A cluster


@dataclass
class Cluster:
    master: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers of one core each."""
    import pyspark

    folder = tmp_path_factory.mktemp("cluster")
    start = [str(Path(pyspark.__file__).parent / "bin/spark-class")]
    deploy = "org.apache.spark.deploy."
    port, *ports = free_ports(4)
    host = ["--host", "127.0.0.1", "--webui-port"]
    environment = {**os.environ, "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false"}
    environment["SPARK_WORKER_DIR"] = str(folder)

    def run(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with open(folder / name, "wb") as log:
            return subprocess.Popen([*start, *arguments], stderr=log, env=environment)

    def logged(name: str, words: str) -> bool:
        return words in (folder / name).read_text(errors="replace")

    master = f"spark://127.0.0.1:{port}"
    processes = [run("master", deploy + "master.Master", *host, str(ports[0]), "--port", str(port))]
    try:
        wait_for(lambda: logged("master", "Starting Spark master"), "the master")
        for number in (1, 2):
            arguments = [deploy + "worker.Worker", *host, str(ports[number]), "-c", "1", "-m", "1g"]
            processes.append(run(f"worker {number}", *arguments, master))
        for number in (1, 2):
            registered = partial(logged, f"worker {number}", "Successfully registered with master")
            wait_for(registered, "a worker")
        yield Cluster(master, processes[1:])
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


# What is killed while a shard is worked on; without a worker, the cluster goes on with the other.
@pytest.mark.parametrize("killed", ["child", "executor", "driver", "worker"])
def test_what_is_killed_is_done_again(
    killed: str,
    cluster: Cluster,
    archives: Path,
    program: str,
    one_machine: OneMachine,
    dump: Dump,
    tmp_path: Path,
) -> None:
    output = tmp_path / "out"
    stopping = stop_once(
        tmp_path, program, "profile-00002" if killed == "driver" else "store-00002"
    )
    command = [sys.executable, "-m", "archive_convert.command", str(archives), "-o", str(output)]
    command += ["--master", cluster.master, "--shards", "4", "--program", str(stopping)]
    settings = "--conf spark.executor.memory=512m --conf spark.ui.enabled=false pyspark-shell"
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": settings}

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)

    driver = start()
    pid = wait_for(lambda: stopped(tmp_path / "stopped"), "the program")
    if killed == "child":
        os.kill(pid, signal.SIGKILL)
    elif killed == "executor":
        os.kill(executor_of(pid), signal.SIGKILL)
    elif killed == "worker":
        os.kill(parent_of(executor_of(pid)), signal.SIGKILL)
    else:
        driver.kill()
        driver.wait()
        wait_for(lambda: not Path(f"/proc/{pid}").exists(), "the end of the program")
        driver = start()
    assert driver.wait(120) == 1
    assert dump(output / "store.sqlite") == one_machine(archives)
    made = json.loads((output / "manifest.json").read_text())
    known = {row["file"] for row in made["shards"]} | {"store.sqlite"}
    assert {str(path.relative_to(output)) for path in output.rglob("*.sqlite")} == known


def executor_of(pid: int) -> int:
    """The Java process that a process descends from."""
    while Path(f"/proc/{pid}/comm").read_text().strip() != "java":
        pid = parent_of(pid)
    return pid


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
