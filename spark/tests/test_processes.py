"""The contract of shards, on processes of this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES, keyed, stop_once, stopped, wait_for

from archive_convert import RunError, convert_on_processes
from archive_convert.command import main

Dump = Callable[[Path], str]
OneMachine = Callable[..., str]

MAPPING = """\
entities:
  Note:
    attributes:
      title: title
      value: mixed
"""


@pytest.mark.parametrize(
    ("shards", "options"),
    [
        (1, []),
        (3, ["--provenance", "--open-nested"]),
        (7, ["--mapping", "map.yaml"]),
        (120, ["--fts", "--plain-names"]),
    ],
)
def test_the_store_is_that_of_one_machine(
    shards: int,
    options: list[str],
    archives: Path,
    program: str,
    one_machine: OneMachine,
    dump: Dump,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("map.yaml").write_text(MAPPING)
    expected = one_machine("in", *options)
    made = convert_on_processes(["in"], "out", shards=shards, options=options, program=program)
    assert dump(Path("out/store.sqlite")) == expected
    assert made.store and made.store["rows"]["_archive"] == made.archives
    assert [row["shard"] for row in made.shards] == list(range(1, shards + 1))
    assert sum(row["rows"].get("Note", 0) for row in made.shards) == made.store["rows"]["Note"]
    for row in [*made.shards, made.store]:
        assert (Path("out") / row["file"]).stat().st_size == row["bytes"]
    (failure,) = failures(Path("out"))
    assert failure["path"] == "in/poisoned.archive"
    assert "truncated" in failure["error"]
    assert made.failures == 1


def failures(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (output / "failures.jsonl").open()]


def test_stores_of_shards_are_compared_with_archives(
    archives: Path, program: str, tmp_path: Path
) -> None:
    convert_on_processes([archives], tmp_path / "out", shards=2, program=program, verify=True)
    with sqlite3.connect(tmp_path / "out/store.sqlite") as store:
        query = "SELECT json_extract(report, '$.verification.status') FROM _report"
        assert store.execute(query).fetchall() == [("passed",)]


def test_records_that_only_all_archives_show_are_profiled_again(
    program: str, one_machine: OneMachine, dump: Dump, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number, keys in enumerate([["x", "y"], ["x", "y"], ["x", "z"]]):
        (folder / f"{number}").write_bytes(dictionary(keys, number))
    shutil.copy(folder / "0", folder / "copy")
    output = tmp_path / "out"
    made = convert_on_processes([folder], output, shards=4, program=program)
    assert list(output.glob("shards/*/profile-*-1")), "no profile was taken again"
    assert dump(output / "store.sqlite") == one_machine(folder)
    assert made.archives == 3


def dictionary(keys: list[str], number: int) -> bytes:
    import plistlib

    uid = plistlib.UID
    objects: list[Any] = ["$null", {"$class": uid(2), "point": uid(3), "number": number}]
    objects.append({"$classname": "Settings", "$classes": ["Settings", "NSObject"]})
    start = 5
    objects.append(
        {
            "$class": uid(4),
            "NS.keys": [uid(start + n) for n in range(len(keys))],
            "NS.objects": [uid(start + n) for n in range(len(keys))],
        }
    )
    objects.append({"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]})
    archive = {
        "$version": 100_000,
        "$archiver": "NSKeyedArchiver",
        "$top": {"root": uid(1)},
        "$objects": objects + keys,
    }
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)


def test_a_finished_run_is_left_as_it_is(archives: Path, program: str, tmp_path: Path) -> None:
    output = tmp_path / "out"
    first = convert_on_processes([archives], output, shards=3, program=program)
    times = {path: path.stat().st_mtime_ns for path in output.rglob("*.sqlite")}
    again = convert_on_processes([archives], output, shards=3, program=program)
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*.sqlite")} == times
    assert (again.shards, again.store) == (first.shards, first.store)
    (archives / "more").write_bytes(keyed("Note"))
    with pytest.raises(RunError, match="the result of another run is there"):
        convert_on_processes([archives], output, shards=3, program=program)


def test_a_store_that_is_damaged_is_made_again(
    archives: Path, program: str, one_machine: OneMachine, dump: Dump, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    made = convert_on_processes([archives], output, shards=3, program=program)
    (output / made.shards[1]["file"]).write_bytes(b"damaged")
    (output / "store.sqlite").unlink()
    again = convert_on_processes([archives], output, shards=3, program=program)
    assert [row["sha256"] for row in again.shards] == [row["sha256"] for row in made.shards]
    assert dump(output / "store.sqlite") == one_machine(archives)


# What is killed: the program at a step, or the runner with it; when it has written so many files.
KILLS = [
    ("child", "profile-00002-0"),
    ("child", "store-00001"),
    ("runner", "profile-00001-0"),
    ("runner", "store-00002"),
    ("runner", "store.sqlite"),
]


@pytest.mark.parametrize(("killed", "while_writing"), KILLS)
def test_what_is_killed_is_done_again(
    killed: str,
    while_writing: str,
    archives: Path,
    program: str,
    one_machine: OneMachine,
    dump: Dump,
    tmp_path: Path,
) -> None:
    output = tmp_path / "out"
    stopping = stop_once(tmp_path, program, while_writing)
    command = [sys.executable, "-m", "archive_convert.command", str(archives), "-o", str(output)]
    command += ["--shards", "3", "--jobs", "1", "--program", str(stopping), "--parquet"]
    runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid = wait_for(lambda: stopped(tmp_path / "stopped"), "the program")
    if killed == "child":
        os.kill(pid, signal.SIGKILL)
    else:
        runner.kill()
        runner.wait()
        assert not (output / "manifest.json").exists()
        # An orphan goes on: it must not be in the way.
        os.kill(pid, signal.SIGCONT)
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    assert runner.wait(120) == 1
    assert dump(output / "store.sqlite") == one_machine(archives)
    made = json.loads((output / "manifest.json").read_text())
    known = {row["file"] for row in made["shards"]} | {"store.sqlite"}
    assert {str(p.relative_to(output)) for p in output.rglob("*.sqlite")} == known
    assert len(made["shards"]) == 3
    assert not [path for path in output.rglob(".*") if path.name != ".lock"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_runner(
    sent: signal.Signals, archives: Path, program: str, tmp_path: Path
) -> None:
    # The program waits for somebody who writes a list.
    os.mkfifo(tmp_path / "list")
    writer = os.open(tmp_path / "list", os.O_RDWR | os.O_CLOEXEC)
    waiting = tmp_path / "waiting"
    waiting.write_text(
        f"""#!/bin/bash
case "$1" in profile)
  echo $$ > '{tmp_path}/pid'
  mv '{tmp_path}/pid' '{tmp_path}/started'
  exec '{program}' profile --shard 1/1 --files-from - -o '{tmp_path}/profile' \\
    --end-with-parent < '{tmp_path}/list' ;;
esac
exec '{program}' "$@"
"""
    )
    waiting.chmod(0o755)
    command = [sys.executable, "-m", "archive_convert.command", str(archives), "--program"]
    command += [str(waiting), "-o", str(tmp_path / "out"), "-q"]
    # Shells that start tests in the background ignore SIGINT.
    restore = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    runner = subprocess.Popen(command, preexec_fn=restore)
    wait_for((tmp_path / "started").exists, "the program")
    pid = (tmp_path / "started").read_text().strip()
    wait_for(lambda: reads(program, pid), "the program to read")
    runner.send_signal(sent)
    assert runner.wait(10) == (130 if sent == signal.SIGINT else -sent)
    wait_for(lambda: not Path(f"/proc/{pid}").exists(), "the end of the program")
    os.close(writer)
    assert not (tmp_path / "profile").exists()


def reads(program: str, pid: str) -> bool:
    """True if a process is the program, and sleeps."""
    state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return os.path.samefile(f"/proc/{pid}/exe", program) and state == "S"


def test_one_run_writes_a_folder_at_a_time(archives: Path, program: str, tmp_path: Path) -> None:
    from archive_convert.files import locked

    (tmp_path / "out").mkdir()
    (tmp_path / "out/shards").mkdir()
    with locked(tmp_path / "out"), pytest.raises(RunError, match="another run is writing"):
        convert_on_processes([archives], tmp_path / "out", program=program)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 1; case $1 in profile) echo disk full >&2; exit 3;; esac",
            "profile: exit code 3: disk full",
        ),
        ("echo 1; case $1 in profile) kill -SEGV $$;; esac", "profile: signal 11"),
        ("exit 127", "does not run"),
    ],
)
def test_a_program_that_fails_is_named_with_its_host(
    script: str, words: str, archives: Path, tmp_path: Path
) -> None:
    import socket

    program = tmp_path / "failing"
    program.write_text(f"#!/bin/bash\necho >> '{tmp_path}/count'\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(RunError, match=words) as error:
        convert_on_processes([archives], tmp_path / "out", shards=1, program=str(program))
    if "profile" in words:
        assert f"shard 1 on {socket.gethostname()}: " in str(error.value)
    # No storm: a signal may be an accident, an exit code is none.
    assert len((tmp_path / "count").read_text()) <= 6


def test_the_command_says_what_became_of_archives(program: str, tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.write_text(f"{SAMPLES}/Expenses.archive\n{SAMPLES}/Events.archive\n")
    arguments = ["--files-from", str(names), "-o", str(tmp_path / "out"), "--program", program]
    command = [sys.executable, "-m", "archive_convert.command", *arguments, "--shards", "2"]

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *options], capture_output=True, text=True)

    done = run("--no-combine", "--", "--provenance")
    assert done.returncode == 0
    assert done.stdout.startswith("Converted 2 archives, 0 failures, in ")
    assert done.stderr.splitlines() == ["list", "profile: 2 shards", "plan", "convert: 2 shards"]
    assert not (tmp_path / "out/store.sqlite").exists()
    refused = run("-q", "--", "--no-such-option")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("archive-convert-many: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "out"],
        ["in"],
        ["in", "-o", "out", "--shards", "0"],
        ["in", "-o", "out", "--no-combine", "--parquet"],
        ["in", "-o", "out", "--jobs", "2", "--on", "spark"],
    ],
)
def test_a_command_that_makes_no_sense_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 64


def test_nothing_to_convert_is_an_error(program: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(RunError, match="there are no files"):
        convert_on_processes([tmp_path / "in"], tmp_path / "out", program=program)


def test_other_files_are_left_alone(archives: Path, program: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/store.sqlite").write_text("mine")
    with pytest.raises(RunError, match="there are other files in it"):
        convert_on_processes([archives], tmp_path / "out", program=program)
    assert (tmp_path / "out/store.sqlite").read_text() == "mine"


@pytest.mark.parametrize("shards", [1, 7])
def test_the_plain_recipe_makes_the_store_of_one_machine(
    shards: int, program: str, one_machine: OneMachine, dump: Dump, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    shutil.copytree(SAMPLES, folder / "a b")
    for number, keys in enumerate([["x", "y"], ["x", "y"], ["x", "z"]]):
        (folder / f"a{number}").write_bytes(dictionary(keys, number))
    script = Path(__file__).parents[1] / "shards.sh"
    command = [str(script), str(folder), str(tmp_path / "out"), str(shards), "--provenance"]
    done = subprocess.run(command, env={**os.environ, "PROGRAM": program}, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert dump(tmp_path / "out/store.sqlite") == one_machine(folder, "--provenance")
