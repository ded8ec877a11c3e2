"""What a run has made."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

from .errors import RunError
from .files import Row, write_json

NAME = "manifest.json"


@dataclass
class Manifest:
    """All files that count, and what is in them; files are relative to the folder of the run."""

    request: str
    program: str
    options: list[str]
    files: int
    bytes: int
    plan_sha256: str = ""
    # The columns with values of several types, by table: in Parquet, structs.
    mixed: dict[str, list[str]] = field(default_factory=dict)
    archives: int = 0
    failures: int = 0
    shards: list[Row] = field(default_factory=list)
    # The store of all; None if shards were not combined.
    store: Row | None = None
    parquet: list[Row] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Writes the manifest, which makes the run complete."""
        write_json(folder / NAME, dataclasses.asdict(self))

    @classmethod
    def read(cls, folder: Path) -> Manifest | None:
        """The manifest of a folder, if there is one."""
        try:
            return cls(**json.loads((folder / NAME).read_text("utf-8")))
        except FileNotFoundError:
            return None
        except (TypeError, ValueError):
            raise RunError(f"{folder / NAME}: it is damaged, or from another version") from None
