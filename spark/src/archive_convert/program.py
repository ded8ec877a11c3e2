"""The program archive-convert."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .errors import RunError

_ATTEMPTS = 3
_TAIL = 2_000


@dataclass(frozen=True)
class Program:
    """The program, and how it is started."""

    path: str
    version: str
    # The machine where it was found, and the folder there that paths are relative to.
    host: str
    folder: str
    # True if it ends when the process ends that started it: --end-with-parent.
    ends_with_parent: bool
    # True if Spark brings it to each machine.
    is_shipped: bool = False

    @classmethod
    def find(cls, path: str | None, *, is_shipped: bool = False) -> Program:
        """Finds the program, by its path or on PATH, and what it can do."""
        name = path or "archive-convert"
        found = shutil.which(name)
        if found is None:
            raise RunError(f"{name}: there is no such program")
        found = os.path.realpath(found)
        version = _output([found, "--version"], name)
        ends_with_parent = "--end-with-parent" in _output([found, "run", "--help"], name)
        return cls(found, version, host(), os.getcwd(), ends_with_parent, is_shipped)

    @property
    def unshipped(self) -> Program:
        """The program where it was found."""
        return replace(self, is_shipped=False)

    def check(self) -> None:
        """Finds out if this machine can run it, unless it was found here."""
        if host() == self.host and not self.is_shipped:
            return
        path = self._path_here()
        version = _output([path, "--version"], path)
        if version != self.version:
            raise RunError(f"{path} is version {version}, not {self.version}")
        if not os.path.isdir(self.folder):
            raise RunError(f"{self.folder}: there is no such folder; start where all machines do")

    def run(
        self, *arguments: str, end_with_parent: bool = False
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs a command to its end, again if a signal ends it."""
        command = [self._path_here(), *arguments]
        if end_with_parent and self.ends_with_parent:
            command.append("--end-with-parent")
        for _ in range(_ATTEMPTS):
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, cwd=self.folder, check=False
            )
            if done.returncode in (0, 1):
                return done
            if 0 <= done.returncode < 128:
                break
        raise RunError(_failure(arguments[0], done))

    def _path_here(self) -> str:
        if not self.is_shipped:
            return self.path
        from pyspark import SparkFiles

        return str(SparkFiles.get(os.path.basename(self.path)))


def host() -> str:
    """The name of this machine."""
    return socket.gethostname()


def _output(command: Sequence[str], name: str) -> str:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise RunError(f"{name} does not run: {error.strerror}") from None
    if done.returncode != 0:
        raise RunError(f"{name} does not run: {_failure(command[-1], done)}")
    return done.stdout.decode(errors="replace").strip()


def _failure(command: str, done: subprocess.CompletedProcess[bytes]) -> str:
    code = done.returncode
    end = f"signal {-code}" if code < 0 else f"exit code {code}"
    words = done.stderr[-_TAIL:].decode(errors="replace").strip()
    return f"{command}: {end}" + (f": {words}" if words else "")
