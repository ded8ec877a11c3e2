"""Profiles of shards, which are merged in whatever order and grouping."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SHARDS = 5
Tree = list["int | Tree"]


@pytest.fixture(scope="module")
def profiles(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the profiles of shards, "1" to "5"."""
    from conftest import keyed

    folder = tmp_path_factory.mktemp("profiles")
    for shard in range(1, SHARDS + 1):
        paths = []
        for number in range(shard % 3):
            path = folder / f"archive {shard} {number}"
            path.write_bytes(
                keyed("Note", **{f"key{shard % 2}": shard, "mixed": [shard, "a"][number]})
            )
            paths.append(str(path))
        command = [
            program,
            "profile",
            "--shard",
            f"{shard}/{SHARDS}",
            "-o",
            str(folder / f"{shard}"),
        ]
        (folder / "list").write_text("\n".join(paths))
        subprocess.run([*command, "--files-from", str(folder / "list")], check=True)
    return folder


@pytest.fixture(scope="module")
def plan_of(program: str, profiles: Path) -> Callable[[Tree], str]:
    numbers = iter(range(1_000_000))

    def merge(tree: Tree) -> Path:
        output = profiles / f"merged {next(numbers)}"
        parts = [merge(p) if isinstance(p, list) else profiles / str(p) for p in tree]
        command = [program, "merge-profiles", *map(str, parts), "-o", str(output)]
        subprocess.run(command, check=True)
        return output

    def plan(tree: Tree) -> str:
        output = profiles / f"plan {next(numbers)}"
        command = [program, "plan", str(merge(tree)), "-o", str(output)]
        return subprocess.run(command, capture_output=True, text=True).stdout

    return plan


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """All shards, in any order, put together in any way, with files of none among them."""
    parts: Tree = list(draw(st.permutations(range(1, SHARDS + 1))))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(parts)))
        end = draw(st.integers(start, len(parts)))
        parts[start:end] = [parts[start:end]]
    return parts


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(tree=trees())
def test_the_plan_is_the_same(tree: Tree, plan_of: Callable[[Tree], str]) -> None:
    expected = plan_of(list(range(1, SHARDS + 1)))
    assert '"sha256"' in expected
    assert plan_of(tree) == expected
