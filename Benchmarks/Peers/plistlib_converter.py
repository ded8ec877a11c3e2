"""What one writes in Python: plistlib, references followed by hand, sqlite3.

    python3 plistlib_converter.py SCHEMA.sql INPUT STORE
    python3 plistlib_converter.py --read INPUT
"""

import os
import plistlib
import sqlite3
import sys
import uuid
from decimal import Decimal

EPOCH = 978307200.0


class Archive:
    def __init__(self, path):
        with open(path, "rb") as file:
            top = plistlib.load(file)
        self.objects = top["$objects"]
        self.root = self.object(top["$top"]["root"])

    def object(self, reference):
        # plistlib leaves the references of XML archives as dictionaries.
        if type(reference) is dict:
            return self.objects[reference["CF$UID"]]
        return self.objects[reference.data]

    def value(self, reference):
        found = self.object(reference)
        if found == "$null":
            return None
        if type(found) is not dict:
            return found
        name = self.object(found["$class"])["$classname"]
        if name == "NSDate":
            return found["NS.time"] + EPOCH
        if name == "NSUUID":
            return str(uuid.UUID(bytes=found["NS.uuidbytes"])).upper()
        if name == "NSURL":
            return self.object(found["NS.relative"])
        if name == "NSMutableData":
            return found["NS.data"]
        if name.startswith("NSDecimalNumber"):
            mantissa = int.from_bytes(found["NS.mantissa"][: 2 * found["NS.length"]], "little")
            number = Decimal(-mantissa if found["NS.negative"] else mantissa)
            return format(number.scaleb(found["NS.exponent"]), "f")
        raise ValueError(name)

    def elements(self, reference):
        return self.object(reference)["NS.objects"]


class Converter:
    def __init__(self, schema, store):
        if os.path.exists(store):
            os.remove(store)
        self.database = sqlite3.connect(store)
        with open(schema) as file:
            self.database.executescript(file.read())
        self.folders = self.notes = 0

    def convert(self, path):
        archive = Archive(path)
        value = archive.value
        folders = [archive.object(f) for f in archive.elements(archive.root["folders"])]
        first = self.folders + 1
        self.database.executemany(
            "INSERT INTO folder VALUES (?, ?, ?, ?)",
            (
                (first + place, value(f["name"]), value(f["uniqueId"]), value(f["createdAt"]))
                for place, f in enumerate(folders)
            ),
        )

        def rows():
            for place, folder in enumerate(folders):
                for position, reference in enumerate(archive.elements(folder["notes"])):
                    n = archive.object(reference)
                    self.notes += 1
                    yield (
                        self.notes, first + place, position, value(n["uniqueId"]),
                        value(n["title"]), value(n["body"]), n["amount"], n["isEditable"],
                        n["rank"], value(n["createdAt"]), value(n["tags"]), value(n["price"]),
                        value(n["syncId"]), value(n["link"]), value(n["attachment"]),
                    )

        marks = ", ".join("?" * 15)
        self.database.executemany(f"INSERT INTO note VALUES ({marks})", rows())
        self.folders += len(folders)

    def finish(self):
        self.database.execute("CREATE INDEX note_folder ON note(folder_id)")
        self.database.commit()


def main():
    if sys.argv[1] == "--read":
        Archive(sys.argv[2])
        return
    schema, source, store = sys.argv[1:4]
    converter = Converter(schema, store)
    if os.path.isdir(source):
        for name in sorted(os.listdir(source)):
            converter.convert(os.path.join(source, name))
    else:
        converter.convert(source)
    converter.finish()


if __name__ == "__main__":
    main()
