"""Readers, and what they make of a file in the neutral form: `readers.py NAME FILE` prints it."""
from __future__ import annotations

import base64
import contextlib
import dataclasses
import datetime
import fnmatch
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Tuple


SECONDS = 20


class Refused(Exception):
    """A file that a reader refused, as it must if it is damaged."""


class Crashed(Exception):
    """The end of a reader that neither read nor refused a file."""


class NotSupported(Exception):
    """A file, or something in it, that a reader by design does not read."""


@dataclasses.dataclass
class Reader:
    """A reader: what it is for, and how to ask it."""

    name: str
    groups: Tuple[str, ...]
    read: Optional[Callable[[pathlib.Path], dict]]
    package: str = ""
    is_program: bool = False  # It runs in a process of its own.
    is_tree: bool = False  # It gives values without classes and identity.
    exceptions: Dict[str, str] = dataclasses.field(default_factory=dict)

    def covers(self, group: str) -> bool:
        return any(fnmatch.fnmatch(group, pattern) for pattern in self.groups)

    def reason_against(self, group: str, case: str) -> Optional[str]:
        """Why a case is not for the reader."""
        if not self.covers(group):
            return "another kind of file"
        return next((why for glob, why in self.exceptions.items() if fnmatch.fnmatch(case, glob)), None)

    def is_installed(self) -> bool:
        if self.name == "archive-convert":
            return shutil.which(program()) is not None
        try:
            return not self.package or bool(importlib.metadata.version(self.package))
        except importlib.metadata.PackageNotFoundError:
            return False

    def version(self) -> str:
        if self.name == "archive-convert":
            return subprocess.run([program(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
        if self.package:
            return importlib.metadata.version(self.package)
        return "" if self.read is None else sys.version.split()[0]


def output(command: List[str], prepare: Optional[Callable[[], None]] = None) -> bytes:
    """What a command prints."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, preexec_fn=prepare, check=False)
    except subprocess.TimeoutExpired:
        raise Crashed(f"did not end within {SECONDS} s") from None
    if done.returncode < 0 or done.returncode > 125:
        raise Crashed(f"crashed with status {done.returncode}")
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refused(lines[-1] if lines else "refused the file")
    return done.stdout


# Values.


def text(value: str) -> Any:
    """A string; code units if it is no Unicode text."""
    try:
        value.encode("utf-8")
        return value
    except UnicodeEncodeError:
        units = value.encode("utf-16-be", "surrogatepass")
        return {"utf16": [units[i] << 8 | units[i + 1] for i in range(0, len(units), 2)]}


def integer(value: int) -> Any:
    return value if abs(value) <= 1 << 53 else {"integer": str(value)}


def real(value: float) -> dict:
    if value != value:
        return {"real": "NaN"}
    return {"real": value if abs(value) != float("inf") else "Infinity" if value > 0 else "-Infinity"}


def data(value: bytes) -> dict:
    return {"data": base64.b64encode(value).decode()}


def dictionary(pairs: Any) -> dict:
    return {"dictionary": [[key, value] for key, value in pairs]}


def date(value: datetime.datetime) -> dict:
    delta = value.replace(tzinfo=None) - datetime.datetime(2001, 1, 1)
    return {"date": delta.days * 86_400 + delta.seconds + delta.microseconds / 1e6}


def plain(value: Any) -> Any:
    """A value of Python in the neutral form."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return real(value)
    if isinstance(value, (bytes, bytearray)):
        return data(bytes(value))
    if isinstance(value, datetime.datetime):
        return date(value)
    if isinstance(value, dict):
        return dictionary((plain(key), plain(part)) for key, part in value.items())
    if isinstance(value, (set, frozenset)):
        return {"set": [plain(part) for part in value]}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if type(value).__name__.lower() == "uid":
        return {"uid": int(getattr(value, "data", value))}
    raise TypeError(f"no neutral form of a {type(value).__name__}")


# Readers of property lists.


def read_plistlib(path: pathlib.Path) -> dict:
    import plistlib

    return {"roots": {"": plain(plistlib.loads(path.read_bytes()))}}


def read_biplist(path: pathlib.Path) -> dict:
    import biplist

    def value(found: Any) -> Any:
        if isinstance(found, biplist.Data):
            return data(found)
        if isinstance(found, dict):
            return dictionary((value(key), value(part)) for key, part in found.items())
        if isinstance(found, list):
            return [value(part) for part in found]
        return plain(found)

    return {"roots": {"": value(biplist.readPlist(str(path)))}}


# Readers of keyed archives.


def read_bpylist2(path: pathlib.Path) -> dict:
    """The object graph; classes that the package does not know are read by their keys."""
    import plistlib

    from bpylist2 import archive_types, archiver

    class Instance:
        def __init__(self, name: str, values: dict) -> None:
            self.name, self.values = name, values

    def decoder(name: str) -> type:
        class Decoder:
            @staticmethod
            def decode_archive(archive: Any) -> Instance:
                return Instance(name, {key: archive.decode(key) for key in archive.object if key != "$class"})

        return Decoder

    content = path.read_bytes()
    listed = plistlib.loads(content)
    entries = listed.get("$objects") if isinstance(listed, dict) else None
    for entry in entries if isinstance(entries, list) else []:
        name = entry.get("$classname") if isinstance(entry, dict) else None
        if isinstance(name, str) and name not in archiver.UNARCHIVE_CLASS_MAP:
            archiver.update_class_map({name: decoder(name)})
    objects: Dict[str, dict] = {}

    def value(found: Any) -> Any:
        if isinstance(found, archive_types.timestamp):
            return {"date": float(found) - found.unix2apple_epoch_delta}
        if isinstance(found, archive_types.NSMutableData):
            return data(found.NSdata or b"")
        if isinstance(found, Instance):
            identifier = str(id(found))
            if identifier not in objects:
                objects[identifier] = {"class": found.name, "values": {}}
                objects[identifier]["values"].update(
                    {key: value(part) for key, part in found.values.items()})
            return {"ref": identifier}
        if isinstance(found, (list, tuple)):
            return [value(part) for part in found]
        if isinstance(found, set):
            return {"set": [value(part) for part in found]}
        if isinstance(found, dict):
            return dictionary((value(key), value(part)) for key, part in found.items())
        return plain(found)

    return {"roots": {"root": value(archiver.unarchive(content))}, "objects": objects}


def read_nska_deserialize(path: pathlib.Path) -> dict:
    import nska_deserialize
    import plistlib

    tops = list(plistlib.loads(path.read_bytes())["$top"])
    with path.open("rb") as file:
        found = nska_deserialize.deserialize_plist(file, format=dict)
    roots = found if len(tops) > 1 else {tops[0]: found}
    return {"roots": {key: plain(value) for key, value in roots.items()}}


def read_nskeyedunarchiver(path: pathlib.Path) -> dict:
    import NSKeyedUnArchiver
    import plistlib

    tops = list(plistlib.loads(path.read_bytes())["$top"])
    found = NSKeyedUnArchiver.unserializeNSKeyedArchiver(path.read_bytes())
    roots = {"root": found} if tops == ["root"] else found
    return {"roots": {key: plain(value) for key, value in roots.items()}}


# A reader of typedstreams.


def read_pytypedstream(path: pathlib.Path) -> dict:
    from typedstream import archiving, stream
    from typedstream.types import core_graphics, foundation

    objects: Dict[str, dict] = {}

    def values(groups: Any) -> dict:
        found: Dict[str, Any] = {}
        for number, group in enumerate(groups, 1):
            parts = [typed(part, code) for part, code in zip(group.values, group.encodings)]
            names = [str(number)] if len(parts) == 1 else [f"{number}.{i + 1}" for i in range(len(parts))]
            found.update(zip(names, parts))
        return found

    def typed(found: Any, code: bytes) -> Any:
        """A value by its code, since a whole real number is an integer in the stream."""
        if code in (b"f", b"d"):
            return real(float(found))
        return bool(found) if code == b"B" else value(found)

    def value(found: Any) -> Any:
        if isinstance(found, foundation.NSString):
            return text(found.value)
        if isinstance(found, foundation.NSValue):
            return typed(found.value, found.type_encoding)
        if isinstance(found, (foundation.NSSize, core_graphics.CGSize)):
            return {"size": [real(float(found.width)), real(float(found.height))]}
        if isinstance(found, foundation.NSData):
            return data(found.data)
        if isinstance(found, foundation.NSDate):
            return {"date": found.absolute_reference_date_offset}
        if isinstance(found, foundation.NSURL):
            base = value(found.relative_to)["url"] if found.relative_to else ""
            return {"url": urllib.parse.urljoin(base, found.value)}
        if isinstance(found, foundation.NSSet):
            return {"set": [value(part) for part in found.elements]}
        if isinstance(found, foundation.NSArray):
            return [value(part) for part in found.elements]
        if isinstance(found, foundation.NSDictionary):
            return dictionary((value(key), value(part)) for key, part in found.contents.items())
        if isinstance(found, archiving.Class):
            return {"class": found.name.decode()}
        if isinstance(found, archiving.Array):
            is_data = isinstance(found.elements, bytes)
            return data(found.elements) if is_data else [value(part) for part in found.elements]
        if isinstance(found, archiving.GenericArchivedObject):
            identifier = str(id(found))
            if identifier not in objects:
                objects[identifier] = {"class": found.clazz.name.decode(), "values": {}}
                objects[identifier]["values"].update(values(found.contents))
            return {"ref": identifier}
        return text(found.decode()) if isinstance(found, bytes) else plain(found)

    with stream.TypedStreamReader.open(str(path)) as opened:
        groups = list(archiving.Unarchiver(opened).decode_all())
    roots = values(groups)
    return {"roots": {"root": roots["1"]} if list(roots) == ["1"] else roots, "objects": objects}


# A reader of nibs.


def read_nibarchive(path: pathlib.Path) -> dict:
    """The tables that the package gives, put together as keyed archives are."""
    import nibarchive

    with path.open("rb") as file:
        archive = nibarchive.NIBArchiveParser(verify=True).parse(file)
    objects: Dict[str, dict] = {}
    kind = nibarchive.NIBValueType

    def entries(index: int) -> List[Tuple[str, Any]]:
        return [
            (archive.get_value_key(found).name, found)
            for found in archive.get_object_values(archive.objects[index])]

    def value(found: Any) -> Any:
        if found.type == kind.OBJECT_REF:
            return instance(found.data)
        if found.type in (kind.BOOL_TRUE, kind.BOOL_FALSE):
            return found.type == kind.BOOL_TRUE
        return None if found.type == kind.NIL else plain(found.data)

    def instance(index: int) -> Any:
        name = archive.get_class_name(archive.objects[index]).name.rstrip("\0")
        found = entries(index)
        elements = [part for key, part in found if key == "UINibEncoderEmptyKey"]
        if name in ("NSString", "NSMutableString"):
            return text(bytes(found[0][1].data).decode())
        if name in ("NSNumber", "NSData"):
            return value(found[0][1])
        if name in ("NSArray", "NSMutableArray"):
            return [value(part) for part in elements]
        if name in ("NSSet", "NSMutableSet"):
            return {"set": [value(part) for part in elements]}
        if name in ("NSDictionary", "NSMutableDictionary"):
            return dictionary((value(k), value(v)) for k, v in zip(elements[::2], elements[1::2]))
        identifier = str(index)
        if identifier not in objects:
            objects[identifier] = {"class": name, "values": {}}
            objects[identifier]["values"].update({key: value(part) for key, part in found})
        return {"ref": identifier}

    return {"roots": {key: value(part) for key, part in entries(0)}, "objects": objects}


# archive-convert: the store that it makes of a file, and the classes that it shows.


def program() -> str:
    root = pathlib.Path(__file__).resolve().parent.parent
    built = [root / ".build" / kind / "archive-convert" for kind in ("release", "debug")]
    return os.environ.get("ARCHIVE_CONVERT") or next((str(path) for path in built if path.exists()), "archive-convert")


def read_archive_convert(path: pathlib.Path) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store.sqlite")
        model = ["--model", str(path.with_name("model.mom"))] if path.suffix in (".xml", ".storedata") else []
        output([program(), str(path), "-o", store, *model, "--dictionaries", "pairs", "--quiet"])
        types: Dict[Tuple[str, str], List[str]] = {}
        if "coredata" not in path.parts:
            for record in json.loads(output([program(), "inspect", str(path), "--json"]))["classes"]:
                for key in record["keys"]:
                    types[record["name"], key["key"]] = key["types"]
        return Store(store, types).reading()


class Store:
    """A store of archive-convert as Documentation/layouts.md describes it, put back into objects."""

    KINDS = {
        "NSArray": "array", "NSMutableArray": "array", "NSSet": "set", "NSMutableSet": "set",
        "NSOrderedSet": "orderedSet", "NSCountedSet": "countedSet", "NSDictionary": "dictionary",
        "NSMutableDictionary": "dictionary", "array": "array", "dictionary": "dictionary"}

    def __init__(self, path: str, types: Dict[Tuple[str, str], List[str]]) -> None:
        self.types = types
        self.database = sqlite3.connect(path)
        self.database.row_factory = sqlite3.Row
        self.entities = json.loads(self.rows("SELECT report FROM _report")[0][0])["entities"]
        self.tables = [row[0] for row in self.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        archive = self.rows("SELECT format FROM _archive")[0]
        self.has_positions = archive["format"] == "typedstream"

    def rows(self, sql: str, *parameters: Any) -> List[sqlite3.Row]:
        return self.database.execute(sql, parameters).fetchall()

    def reading(self) -> dict:
        objects: Dict[str, dict] = {}
        roots: Dict[str, Any] = {}
        for entity in self.entities:
            for row in self.rows_of(entity):
                name = entity["archivedClasses"][0]
                identifier = f"{self.table(entity)}:{row['id']}"
                objects[identifier] = {"class": name, "values": self.values(entity, name, row)}
                roots.setdefault(name, []).append({"ref": identifier})
        tops = self.rows("SELECT * FROM _top ORDER BY id")
        if tops:
            roots = {
                top["key"]: self.reference(top["entity"], top["row"]) if top["entity"]
                else self.scalar(top["value"], "mixed", [])
                for top in tops}
        return {"roots": roots, "objects": objects}

    def table(self, entity: dict) -> str:
        """The table of an entity: that of its root, if the model has subentities."""
        if entity["name"] in self.tables:
            return entity["name"]
        view = self.rows("SELECT sql FROM sqlite_schema WHERE name = ?", entity["name"])[0][0]
        return view.split(" FROM ")[1].split(" WHERE ")[0]

    def rows_of(self, entity: dict) -> List[sqlite3.Row]:
        found = self.rows(f'SELECT * FROM "{self.table(entity)}" ORDER BY id')
        return [row for row in found if "_entity" not in row.keys() or row["_entity"] == entity["name"]]

    def reference(self, table: str, row: int) -> Any:
        return self.collection(row) if table == "_collection" else {"ref": f"{table}:{row}"}

    def values(self, entity: dict, class_name: str, row: sqlite3.Row) -> dict:
        found: Dict[str, Any] = {}
        columns = [name for name in row.keys() if name != "id"]
        for attribute in entity["attributes"]:
            key, name = attribute["key"], attribute["name"]
            kinds = self.types.get((class_name, key), [])
            if attribute["type"].startswith("collection of"):
                kind = next((self.KINDS[k] for k in kinds if k in self.KINDS), "array")
                found[key] = self.elements(entity, name, row["id"], kind, attribute["type"][14:])
                continue
            column = next((n for n in (name, name + "_2") if n in columns), None)
            if column is None:
                continue
            columns.remove(column)
            value = self.scalar(row[column], attribute["type"], kinds)
            if attribute["type"] == "attributedText" and value is not None:
                runs = json.loads(row[name + "_runs"]) if row[name + "_runs"] else {"runs": []}
                value = foundation({**runs, "text": value})
            found[key] = value
        for relationship in entity["relationships"]:
            name = relationship["name"]
            if relationship["toMany"]:
                if name not in found:
                    kinds = self.types.get((class_name, name), [])
                    found[name] = self.members(entity, relationship, row["id"], kinds)
            elif row[name + "_id"] is not None:
                table = row[name + "_type"] if name + "_type" in row.keys() else relationship["destination"]
                table = table if table in self.tables else self.table({"name": table})
                found[name] = self.reference(table, row[name + "_id"])
        if self.has_positions:
            return {key[1:].replace("_", ".") if key[:1] == "v" else key: part for key, part in found.items()}
        return found

    def members(self, entity: dict, relationship: dict, owner: int, kinds: List[str]) -> Any:
        """The members of a relationship to many."""
        name, inverse = relationship["name"], relationship.get("inverse")
        table = f"{entity['name']}_{name}"
        kind = next((self.KINDS[k] for k in kinds if k in self.KINDS), None)
        if table in self.tables and not inverse:
            return self.elements(entity, name, owner, kind or "array", "mixed")
        target = self.table({"name": relationship["destination"]})
        home = self.table(entity)
        other = f"{relationship['destination']}_{inverse}"
        if table in self.tables or other in self.tables:
            table = table if table in self.tables else other
            columns = [column["name"] for column in self.rows(f'PRAGMA table_info("{table}")')]
            if home == target:
                mine, theirs = f"{home}_id", f"{home}_id_2"
                mine, theirs = (mine, theirs) if table != other else (theirs, mine)
            else:
                mine, theirs = f"{home}_id", f"{target}_id"
            order = "position" if table != other else f"{name}_position"
        else:
            table, mine, theirs, order = target, f"{inverse}_id", "id", f"{name}_position"
            columns = [column["name"] for column in self.rows(f'PRAGMA table_info("{table}")')]
        is_ordered = order in columns
        found = self.rows(
            f'SELECT "{theirs}" FROM "{table}" WHERE "{mine}" = ? ORDER BY "{order if is_ordered else theirs}"', owner)
        members = [{"ref": f"{target}:{row[0]}"} for row in found]
        return members if is_ordered else {"set": members}

    def elements(self, entity: dict, name: str, owner: int, kind: str, type_name: str) -> Any:
        table = f"{entity['name']}_{name}"
        found = self.rows(f'SELECT * FROM "{table}" WHERE "{entity["name"]}_id" = ? ORDER BY id', owner)
        return self.listed(found, kind, type_name)

    def collection(self, number: int) -> Any:
        kind = self.rows("SELECT kind FROM _collection WHERE id = ?", number)[0][0]
        found = self.rows("SELECT * FROM _collection_element WHERE collection_id = ? ORDER BY id", number)
        return self.listed(found, {"ordered set": "orderedSet", "counted set": "countedSet"}.get(kind, kind), "mixed")

    def listed(self, rows: List[sqlite3.Row], kind: str, type_name: str) -> Any:
        def part(row: sqlite3.Row, name: str, type_name: str) -> Any:
            keys = row.keys()
            if name + "_id" in keys and row[name + "_id"] is not None:
                return self.reference(row[name + "_type"], row[name + "_id"])
            if name not in keys:
                target = next(key for key in reversed(keys) if key.endswith("_id"))
                return {"ref": f"{target[:-3]}:{row[target]}"}
            return self.scalar(row[name], type_name, [])

        if kind in ("dictionary", "countedSet"):
            return {kind: [[part(row, "key", "mixed"), part(row, "value", type_name)] for row in rows]}
        parts = [part(row, "value", type_name) for row in rows]
        return parts if kind == "array" else {kind: parts}

    def scalar(self, value: Any, type_name: str, kinds: List[str]) -> Any:
        """A value by the type that the report gives, and by the types that `inspect` shows."""
        if value is None:
            return {"null": "NSNull"} if kinds == ["NSNull"] else None
        if kinds == ["class"]:
            return {"class": value}
        if type_name == "boolean":
            return bool(value)
        if type_name == "date":
            return {"date": seconds(value)}
        if type_name in ("decimal", "uuid"):
            return {type_name: value}
        if type_name == "uri":
            return {"url": value}
        if type_name == "json":
            return foundation(json.loads(value))
        if type_name == "mixed" and isinstance(value, str):
            if kinds == ["real"]:
                return {"real": value}
            if kinds in (["integer"], ["number"]):
                return {"integer": value}
        return plain(value)


def seconds(value: str) -> float:
    """The seconds since 2001 of a date in ISO 8601, or of a number."""
    if "T" not in value:
        return float(value)
    day, _, time = value.rstrip("Z").partition("T")
    sign, digits = (-1, day[1:]) if day.startswith("-") else (1, day)
    year, month, date_of_month = (int(part) for part in digits.split("-"))
    year *= sign
    # Python's calendar has the years 1 to 9999; the Gregorian one repeats itself after 400.
    shift = (year - 2001) // 400
    days = (datetime.date(year - shift * 400, month, date_of_month) - datetime.date(2001, 1, 1)).days + shift * 146_097
    hours, minutes, rest = time.split(":")
    return float(days * 86_400 + int(hours) * 3_600 + int(minutes) * 60 + Fraction(rest))


def foundation(value: Any) -> Any:
    """The JSON of a Foundation value, as Documentation/values.md describes it."""
    if isinstance(value, list):
        return [foundation(part) for part in value]
    if not isinstance(value, dict):
        return plain(value)
    if "runs" in value:
        runs = value["runs"] or [{"length": len(value["text"].encode("utf-16-le")) // 2, "attributes": {}}]
        return {
            "attributedString": value["text"],
            "runs": [[run["length"], foundation(run["attributes"])] for run in runs]}
    for name, keys in (("point", "x y"), ("size", "width height"), ("rect", "x y width height")):
        if name in value:
            return {name: [real(float(value[name][key])) for key in keys.split()]}
    if "range" in value:
        return {"range": [value["range"]["location"], value["range"]["length"]]}
    if "ranges" in value:
        return {"indexSet": [[part["location"], part["length"]] for part in value["ranges"]]}
    if "indexes" in value:
        return {"indexPath": value["indexes"]}
    if value.get("class") == "NSNull":
        return {"null": "NSNull"}
    return dictionary((key, foundation(part)) for key, part in value.items())


READERS: Dict[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader(
            "archive-convert", ("keyed*", "typedstream*", "nib*", "coredata*"), read_archive_convert,
            is_program=True,
            exceptions={
                "keyed/string-unpaired-surrogate.*": "an unpaired surrogate becomes U+FFFD, and is reported",
                "keyed/array-boolean-integer.*": "SQLite has no booleans: in one column, true is 1",
            }),
        Reader("plistlib", ("plist*",), read_plistlib),
        Reader("biplist", ("plist*",), read_biplist, "biplist"),
        Reader(
            "bpylist2", ("keyed*",), read_bpylist2, "bpylist2",
            exceptions={"keyed/*.xml.plist": "it reads binary archives only"}),
        Reader("nska_deserialize", ("keyed*",), read_nska_deserialize, "nska-deserialize", is_tree=True),
        Reader("NSKeyedUnArchiver", ("keyed*",), read_nskeyedunarchiver, "NSKeyedUnArchiver", is_tree=True),
        Reader("pytypedstream", ("typedstream*",), read_pytypedstream, "pytypedstream"),
        Reader("nibarchive", ("nib*",), read_nibarchive, "nibarchive"),
    )
}

if __name__ == "__main__":
    chosen = READERS[sys.argv[1]].read
    assert chosen is not None
    with contextlib.redirect_stdout(sys.stderr):  # Some print what they do.
        reading = chosen(pathlib.Path(sys.argv[2]))
    json.dump(reading, sys.stdout)
