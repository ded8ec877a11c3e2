#!/usr/bin/env python3
"""Measures readers of archives, typedstreams, nibs and stores by the cases beside this file.

    Conformance/run.py                                     all readers that are installed
    Conformance/run.py --reader plistlib -v                one reader, with every failure
    Conformance/run.py --cases 'keyed/date*'               some cases
    Conformance/run.py --command 'my-reader {file}' -v     another reader: see README.md
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import pathlib
import shlex
import sys
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Optional, Tuple

import readers

FOLDER = pathlib.Path(__file__).resolve().parent / "cases"
MEMORY = 2 << 30


@dataclasses.dataclass
class Case:
    """A file, and what it must be read as."""

    file: pathlib.Path
    group: str
    expected: Optional[dict]  # None if a reader must refuse the file.

    @property
    def name(self) -> str:
        return str(self.file.relative_to(FOLDER))

    @property
    def stem(self) -> str:
        return self.file.name.split(".")[0]

    @property
    def form(self) -> str:
        """The encoding: "binary" or "xml" of a property list, else the kind of file."""
        return self.file.name.split(".")[1]


def cases(pattern: str) -> Iterator[Case]:
    for description in sorted(FOLDER.rglob("*.json")):
        content = json.loads(description.read_text(encoding="utf-8"))
        group = str(description.parent.relative_to(FOLDER))
        for file in sorted(description.parent.glob(description.stem + ".*")):
            case = Case(file, group, content.get("reading"))
            if file != description and fnmatch.fnmatch(case.name, pattern + "*"):
                yield case


# Readings in one form, so that equal ones have equal text.


class Canonical:
    """A reading with its objects numbered in the order in which they are met."""

    def __init__(self, reading: dict, is_tree: bool) -> None:
        self.objects: Dict[str, dict] = reading.get("objects", {})
        self.is_tree = is_tree
        self.numbers: Dict[str, int] = {}
        self.waiting: List[str] = []
        self.path: List[str] = []
        lines = [f"root {key!r}: {self.text(reading['roots'][key])}" for key in sorted(reading["roots"])]
        while self.waiting:
            lines += self.lines(self.waiting.pop(0))
        self.lines_of_text = lines

    def lines(self, identifier: str) -> List[str]:
        entry = self.objects[identifier]
        head = f"object {self.numbers[identifier]}"
        return [f"{head}: {entry['class']}"] + [
            f"{head} {key!r}: {self.text(value)}"
            for key, value in sorted(entry["values"].items())
            if value is not None  # A key that is nil may be left out.
        ]

    def text(self, value: Any) -> str:
        if not isinstance(value, (dict, list)):
            return json.dumps(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.text, value))}]"
        kind, content = next(iter(value.items()))
        if kind == "ref":
            return self.reference(str(content))
        if kind in ("real", "date"):
            return f"{kind} {float(content)!r}"
        if kind == "integer":
            return str(int(content))
        if kind == "decimal":
            digits = format(Decimal(content), "f")
            return f"decimal {digits.rstrip('0').rstrip('.') if '.' in digits else digits}"
        if kind == "set":
            return f"set {self.text(sorted(content, key=self.signature))}"
        if kind in ("dictionary", "countedSet"):
            pairs = sorted(content, key=lambda pair: self.signature(pair[0]))
            return f"{kind} {{{', '.join(f'{self.text(k)}: {self.text(v)}' for k, v in pairs)}}}"
        return " ".join(f"{key} {self.text(part)}" for key, part in value.items())

    def reference(self, identifier: str) -> str:
        entry = self.objects[identifier]
        if self.is_tree:
            if identifier in self.path:
                raise readers.NotSupported("a tree has no cycles")
            self.path.append(identifier)
            pairs = [[key, part] for key, part in entry["values"].items()]
            text = self.text({"dictionary": pairs})
            self.path.pop()
            return text
        if identifier not in self.numbers:
            self.numbers[identifier] = len(self.numbers) + 1
            self.waiting.append(identifier)
        return f"object {self.numbers[identifier]}"

    def signature(self, value: Any) -> str:
        """A text to sort by, which does not number objects."""
        if isinstance(value, dict) and "ref" in value:
            entry = self.objects[str(value["ref"])]
            plain = {k: v for k, v in entry["values"].items() if not isinstance(v, (dict, list))}
            return json.dumps([entry["class"], plain], sort_keys=True)
        return json.dumps(value, sort_keys=True)


def expanded(objects: dict) -> Iterator[Tuple[str, dict]]:
    """The objects of a description; an entry "1-9" stands for nine of them, where "+1" is the next one."""
    for key, entry in objects.items():
        first, _, last = key.partition("-")
        if not last:
            yield key, entry
            continue
        for number in range(int(first), int(last) + 1):
            values = {
                name: {"ref": number + 1} if value == {"ref": "+1"} else value
                for name, value in entry["values"].items()
            }
            yield str(number), {**entry, "values": values}


def difference(expected: dict, got: dict, is_tree: bool) -> str:
    """The first line in which readings differ; empty if they are equal."""
    whole = {**expected, "objects": dict(expanded(expected["objects"]))}
    wanted = Canonical(whole, is_tree).lines_of_text
    found = Canonical(got, is_tree).lines_of_text
    for want, have in zip(wanted, found):
        if want != have:
            return f"expected {want[:200]}, got {have[:200]}"
    if len(wanted) != len(found):
        longer = max(wanted, found, key=len)
        return f"{'missing' if longer is wanted else 'surplus'}: {longer[min(len(wanted), len(found))][:200]}"
    return ""


# Each file is read in a process of its own, since some readers crash, or never end.


@dataclasses.dataclass
class Result:
    case: Case
    status: str  # "passed", "failed", "not supported"
    detail: str = ""


def judge(case: Case, reader: readers.Reader, template: Optional[str]) -> Result:
    reason = reader.reason_against(case.group, case.name)
    if reason is not None:
        return Result(case, "not supported", reason)
    try:
        if reader.is_program and reader.read is not None:
            got = reader.read(case.file)
        else:
            parts = shlex.split(template) if template else [sys.executable, readers.__file__, reader.name, "{file}"]
            command = [part.replace("{file}", str(case.file)) for part in parts]
            printed = readers.output(command, None if template else limit_memory)
            got = json.loads(printed.decode("utf-8"))
        if "unsupported" in got:
            return Result(case, "not supported", str(got["unsupported"]))
        if case.expected is None:
            return Result(case, "failed", "read a file that must be refused")
        detail = difference(case.expected, got, reader.is_tree)
        return Result(case, "failed" if detail else "passed", detail)
    except readers.NotSupported as error:
        return Result(case, "not supported", str(error))
    except readers.Refused as error:
        return Result(case, "passed" if case.expected is None else "failed", str(error)[:200])
    except readers.Crashed as error:
        return Result(case, "failed", str(error))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, ArithmeticError) as error:
        return Result(case, "failed", f"gave no reading: {type(error).__name__} {error}"[:200])


def limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measure(chosen: List[Tuple[readers.Reader, Optional[str]]], all_cases: List[Case]) -> dict:
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for reader, template in chosen:
            for case in all_cases:
                jobs.append((reader.name, pool.submit(judge, case, reader, template)))
    results: dict = {reader.name: [] for reader, _ in chosen}
    for name, job in jobs:
        results[name].append(job.result())
    return results


# Output.


def table(results: dict, chosen: list) -> List[List[str]]:
    groups = list(dict.fromkeys(result.case.group for found in results.values() for result in found))
    rows = [["reader", *groups]]
    for reader, _ in chosen:
        counts = []
        for group in groups:
            found = [r.status for r in results[reader.name] if r.case.group == group]
            numbers = [found.count(status) for status in ("passed", "failed", "not supported")]
            counts.append("–" if numbers[2] == len(found) else " / ".join(map(str, numbers)))
        rows.append([f"{reader.name} {reader.version()}".strip(), *counts])
    return rows


def markdown(results: dict, chosen: list) -> str:
    rows = table(results, chosen)
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| --- |" + " ---: |" * (len(rows[0]) - 1))
    for reader, _ in chosen:
        found = [result for result in results[reader.name] if reader.covers(result.case.group)]
        for status in ("failed", "not supported"):
            judged = [r.case for r in found if r.status != "not supported" or r.status == status]
            named = names([r.case for r in found if r.status == status], judged)
            lines += [f"\n**{reader.name}, {status}**\n"] if named else []
            lines += [f"- {group}: {', '.join(cases)}" for group, cases in named.items()]
    return "\n".join(lines)


def names(some: List[Case], everything: List[Case]) -> dict:
    """The names of cases by group; of nearly all files of a form, only how many."""
    found: dict = {}
    for group in dict.fromkeys(case.group for case in some):
        forms: dict = {}
        for case in some:
            if case.group == group:
                forms.setdefault(case.form, []).append(case.stem)
        others = [case for case in everything if case.group == group]
        listed = found.setdefault(group, [])
        for form in list(forms):
            total = sum(case.form == form for case in others)
            if len(forms[form]) > 20 and len(forms[form]) > 0.9 * total:
                listed.append(f"{len(forms.pop(form))} of {total} files in {form}")
        for stem in sorted({stem for stems in forms.values() for stem in stems}):
            has = [form for form, stems in forms.items() if stem in stems]
            might = [case.form for case in others if case.stem == stem and case.form in forms]
            listed.append(stem if len(has) == len(might) else f"{stem} ({', '.join(has)})")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--reader", action="append", help="a reader by name; may be repeated")
    parser.add_argument("--command", help="a command that prints the reading of {file}")
    parser.add_argument("--tree", action="store_true", help="compare neither classes nor identity")
    parser.add_argument("--cases", default="*", metavar="GLOB", help="cases by the beginning of their names")
    parser.add_argument("--program", help="the path of archive-convert")
    parser.add_argument("--json", action="store_true", help="print each result as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the tables of RESULTS.md")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what failed, and why")
    options = parser.parse_args()
    if options.program:
        os.environ["ARCHIVE_CONVERT"] = str(pathlib.Path(options.program).resolve())

    chosen: List[Tuple[readers.Reader, Optional[str]]] = []
    if options.command:
        chosen.append((readers.Reader("command", ("*",), None, is_tree=options.tree), options.command))
    for name in options.reader or ([] if options.command else readers.READERS):
        reader = readers.READERS.get(name)
        if reader is None:
            parser.error(f"no reader {name}; there are {', '.join(readers.READERS)}")
        if reader.is_installed():
            chosen.append((reader, None))
        elif options.reader:
            parser.error(f"{name} is not installed")
    all_cases = list(cases(options.cases))
    if not all_cases:
        parser.error(f"no case matches {options.cases}")

    results = measure(chosen, all_cases)
    if options.json:
        for name, found in results.items():
            for result in found:
                print(json.dumps(
                    {"reader": name, "case": result.case.name, "status": result.status, "detail": result.detail}))
    elif options.markdown:
        print(markdown(results, chosen))
    else:
        rows = table(results, chosen)
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print(f"{len(all_cases)} files; passed / failed / not supported")
        if options.verbose:
            for name, found in results.items():
                for result in found:
                    if result.status == "failed":
                        print(f"{name}: {result.case.name}: {result.detail}")
    return 1 if any(result.status == "failed" for found in results.values() for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
