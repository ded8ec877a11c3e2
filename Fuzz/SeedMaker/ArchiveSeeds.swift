import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport

/// Small keyed archives, each about something else, in both forms.
enum ArchiveSeeds {
  static func all() throws -> [Seed] {
    let archives = [
      ("values", try values()), ("collections", collections()), ("cycle", cycle()),
      ("classes", classes()), ("inline", inline()), ("damage", damage()), ("top", top()),
    ]
    return try archives.flatMap { name, archive in
      [Seed("\(name).archive", archive.binary()), Seed("\(name).xml", try archive.xml())]
    }
  }

  /// The same as compiled nibs.
  static func nibs() throws -> [Seed] {
    try all().filter { $0.name.hasSuffix(".archive") }.map { seed in
      let archive = try KeyedArchive(bytes: seed.bytes)
      return Seed(seed.name.replacing(".archive", with: ".nib"), Data(NibWriter.nib(of: archive)))
    }
  }

  private static func values() throws -> KeyedArchiveBuilder {
    var archive = KeyedArchiveBuilder()
    let pairs: [KeyValue] = [
      KeyValue("date", archive.date(secondsSince2001: 326_671_920.5)),
      KeyValue("text", archive.mutableString("é😀")),
      KeyValue("decimal", try archive.decimal("-1.25")),
      KeyValue("uuid", archive.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(1...16))])),
      KeyValue("url", archive.url("b", base: archive.url("https://example.org/"))),
      KeyValue("data", archive.instance(of: "NSMutableData", ["NS.data": .data(Data(0..<9))])),
      KeyValue("null", archive.null()), KeyValue("class", archive.classRecord("Note")),
      KeyValue("plain", archive.string("a")), KeyValue("none", .none), KeyValue("number", 7),
      KeyValue("real", 2.5), KeyValue("flag", true),
    ]
    let slot = archive.reserve()
    archive.setTop("root", archive.fill(slot, className: "Note", pairs))
    return archive
  }

  private static func collections() -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let note = archive.instance(of: "Note", ["title": archive.string("a")])
      return archive.instance(
        of: "Folder",
        [
          "list": archive.array([note, note]), "set": archive.set(["a", 1]),
          "ordered": archive.orderedSet(["a", note]), "counted": archive.countedSet([("a", 2)]),
          "pairs": archive.dictionary(["a": note, "b": archive.array([])]),
        ])
    }
  }

  private static func cycle() -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let folder = archive.reserve()
      let notes = (0..<3).map { number in
        archive.instance(of: "Note", ["folder": folder.reference, "rank": .integer(number)])
      }
      return archive.fill(
        folder, className: "Folder",
        [KeyValue("notes", archive.array(notes)), KeyValue("parent", folder.reference)])
    }
  }

  private static func classes() -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let slot = archive.reserve()
      return archive.fill(
        slot, className: "Sub", hierarchy: ["Sub", "Base", "NSObject"],
        [KeyValue("id", 1), KeyValue("ID", 2), KeyValue("$odd", "a"), KeyValue("order", 1.5)],
        unkeyed: [1, "a"])
    }
  }

  private static func inline() -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "Odd", ["list": [1, ["a": 2.5], [archive.string("b")]], "data": .data(Data(0..<20))])
    }
  }

  private static func damage() -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let loop = archive.reserve()
      archive.fill(loop, with: loop.reference)
      return archive.instance(
        of: "NSArray", ["NS.objects": [loop.reference, .uid(4_000), archive.url("a")]])
    }
  }

  private static func top() -> KeyedArchiveBuilder {
    var archive = KeyedArchiveBuilder()
    archive.archiver = "MSArchiver"
    archive.setTop("$0", archive.instance(of: "NSArray", ["NS.object.0": archive.string("a")]))
    archive.setTop("State", 7)
    archive.setTop("names", ["a", "b"])
    return archive
  }
}
