import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Keyed archives")
struct KeyedArchiveTests {
  /// A sound frame, some of whose keys can be replaced, or taken out with nil.
  static func frame(_ changes: KeyValuePairs<String, PropertyListValue?> = [:]) -> PropertyListValue
  {
    var pairs = [
      KeyValue("$archiver", "NSKeyedArchiver"), KeyValue("$version", 100_000),
      KeyValue("$objects", ["$null", "text"]), KeyValue("$top", ["root": .uid(1)]),
    ]
    for (key, value) in changes {
      pairs.removeAll { $0.key == key }
      if let value { pairs.append(KeyValue(key, value)) }
    }
    return .dictionary(pairs)
  }

  private static func binary(_ list: PropertyListValue) -> Data {
    BinaryPropertyListWriter().data(for: list)
  }

  @Test("are read from both forms of property list")
  func readsBothForms() throws {
    let formats: [(Data, PropertyList.Format)] = [
      (Self.binary(Self.frame()), .binary),
      (try XMLPropertyListWriter().data(for: Self.frame()), .xml),
    ]
    for (bytes, format) in formats {
      let archive = try KeyedArchive(bytes: bytes)
      #expect(archive.propertyList.format == format)
      #expect(archive.archiver == "NSKeyedArchiver")
      #expect(archive.version == 100_000)
      #expect(archive.objectCount == 2)
      #expect(archive.topLevelKeys == ["root"])
      #expect(try archive.topTexts() == ["root: 'text'"])
    }
  }

  @Test("may have UIDs that are dictionaries, as programs save them that know no UIDs")
  func readsDictionariesAsUIDs() throws {
    let wanted = KeyedArchiveBuilder.archive { archive in
      let note = archive.instance(of: "Note", ["title": "a", "rank": 3])
      return archive.array([note, note])
    }
    let bytes = BinaryPropertyListWriter().data(for: wanted.propertyList().withoutUIDs)
    let archive = try KeyedArchive(bytes: bytes)
    #expect(archive.propertyList.content == wanted.propertyList())
    let saved = try KeyedArchive.salvage(bytes: bytes)
    #expect(saved.salvage == nil)
    #expect(saved.propertyList.content == wanted.propertyList())
  }

  @Test("may have top-level keys without references if there are no objects")
  func readsValuesAlone() throws {
    let list = Self.frame(["$objects": ["$null"], "$top": ["rank": 3]])
    #expect(try KeyedArchive(bytes: Self.binary(list)).topLevelKeys == ["rank"])
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var list: PropertyListValue
    var error: ArchiveError

    init(
      _ name: String, _ changes: KeyValuePairs<String, PropertyListValue?>,
      _ code: ArchiveError.Code, at key: String, detail: String? = nil
    ) {
      testDescription = name
      list = KeyedArchiveTests.frame(changes)
      error = ArchiveError(code, at: .topLevelKey(key), name: detail)
    }
  }

  @Test(
    "need a frame of the right kinds of values",
    arguments: [
      Damage("no $archiver", ["$archiver": nil], .missingArchiver, at: "$archiver"),
      Damage("$archiver is a UID", ["$archiver": .uid(1)], .missingArchiver, at: "$archiver"),
      Damage("$archiver is a number", ["$archiver": 1], .missingArchiver, at: "$archiver"),
      Damage("no $version", ["$version": nil], .missingVersion, at: "$version"),
      Damage("$version is a text", ["$version": "100000"], .missingVersion, at: "$version"),
      Damage("$version is a real", ["$version": 100_000.0], .missingVersion, at: "$version"),
      Damage("no $objects", ["$objects": nil], .missingObjects, at: "$objects"),
      Damage("$objects is a set", ["$objects": .set([])], .missingObjects, at: "$objects"),
      Damage("$objects is a dictionary", ["$objects": [:]], .missingObjects, at: "$objects"),
      Damage("no $top", ["$top": nil], .missingTop, at: "$top"),
      Damage("$top is a UID", ["$top": .uid(1)], .missingTop, at: "$top"),
      Damage("$top refers to nothing", ["$top": ["root": "text"]], .noReference, at: "$top"),
      Damage(
        "UIDs have another form", ["$top": ["root": ["UID": 1]]], .noReference, at: "$top"),
      Damage(
        "a later version", ["$version": 100_001], .unsupportedVersion, at: "$version",
        detail: "100001"),
      Damage(
        "a negative version", ["$version": -1], .unsupportedVersion, at: "$version", detail: "-1"),
    ])
  func refusesDamagedFrames(damage: Damage) {
    #expect(throws: damage.error) { try KeyedArchive(bytes: Self.binary(damage.list)) }
  }

  @Test(
    "are told from other property lists",
    arguments: [[:], [], "text", ["a": 1], ["$version": 100_000, "$class": 1]]
      as [PropertyListValue])
  func refusesOtherLists(list: PropertyListValue) throws {
    func error(_ name: String) -> ArchiveError {
      ArchiveError(.notAnArchive, at: .topLevel, name: name)
    }
    #expect(throws: error("a plain binary property list")) {
      try KeyedArchive(bytes: Self.binary(list))
    }
    let xml = try XMLPropertyListWriter().data(for: list)
    #expect(throws: error("a plain XML property list")) { try KeyedArchive(bytes: xml) }
  }

  @Test(
    "may be by any archiver and of an earlier version",
    arguments: [("SCNKeyedArchiver", 100_000), ("MSArchiver", 10_000), ("", 0)])
  func readsOtherArchivers(archiver: String, version: Int64) throws {
    let frame = Self.frame(["$archiver": .string(archiver), "$version": .integer(version)])
    let archive = try KeyedArchive(bytes: Self.binary(frame))
    #expect(archive.archiver == archiver)
    #expect(archive.version == version)
  }

  @Test("may have keys of their own beside the frame, and keys twice, of which the first counts")
  func takesTheFirstOfEqualKeys() throws {
    let frame: PropertyListValue = [
      "comment": "x", "$version": 10_000, "$version": "later", "$archiver": "A", "$archiver": 1,
      "$objects": ["$null"], "$objects": [], "$top": ["a": 1], "$top": [],
    ]
    let archive = try KeyedArchive(bytes: Self.binary(frame))
    #expect(archive.version == 10_000)
    #expect(archive.archiver == "A")
    #expect(archive.objectCount == 1)
    #expect(archive.topLevelKeys == ["a"])
  }

  @Test("may hold nothing at the top")
  func readsAnEmptyTop() throws {
    let archive = try KeyedArchive(bytes: Self.binary(Self.frame(["$top": [:]])))
    #expect(archive.topLevelKeys == [])
    let inspection = try ArchiveInspection(archive)
    #expect(inspection.objects == 2)
    #expect(inspection.reachable == 0)
  }

  @Test("may have several top-level values, references or not, in the order of the file")
  func readsTopLevelValues() throws {
    var builder = KeyedArchiveBuilder()
    builder.setTop("z", builder.string("text"))
    builder.setTop("State", 7)
    builder.setTop("$0", .data(Data([1])))
    builder.setTop("a b", ["x", builder.string("text"), .none])
    builder.setTop("real", 0.5)
    builder.setTop("none", .none)
    let archive = try KeyedArchive(bytes: builder.binary())
    #expect(archive.topLevelKeys == ["z", "State", "$$0", "a b", "real", "none"])
    #expect(
      try archive.topTexts() == [
        "z: 'text'", "State: 7", "$$0: <01>", "a b: array('x', 'text', nil)", "real: real 0.5",
        "none: nil",
      ])
  }

  @Test("keep keys as they are written, escaped ones and unkeyed ones too")
  func keepsKeys() throws {
    var builder = KeyedArchiveBuilder()
    let object = builder.instance(
      of: "Note", [KeyValue("$price", 1), KeyValue("a.b c", 2), KeyValue("", 3)], unkeyed: [4, 5])
    builder.setTop("root", object)
    let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
      GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(ofObject: 1) == "Note($$price: 1, a.b c: 2, : 3, $0: 4, $1: 5)")
  }

  @Test("are read from a file, and say why where they cannot be")
  func readsFiles() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.binary(Self.frame()), to: "a.archive")
    #expect(try KeyedArchive(contentsOf: path).topTexts() == ["root: 'text'"])

    // Large enough to be mapped rather than copied.
    let large = Self.frame(["$objects": ["$null", .data(Data(count: 2_000_000))]])
    let largePath = try folder.write(Self.binary(large), to: "large.archive")
    let archive = try KeyedArchive(contentsOf: largePath)
    #expect(archive.propertyList.residentBytes == 0)
    #expect(try archive.topTexts().first?.utf8.count == 4_000_008)

    let empty = try folder.write("", to: "empty")
    #expect(throws: ArchiveError(.empty)) { try KeyedArchive(contentsOf: empty) }
    #expect(throws: ArchiveError(.empty)) { try KeyedArchive(bytes: [UInt8]()) }
    #expect(throws: ArchiveError(.unreadable, name: "not a regular file")) {
      try KeyedArchive(contentsOf: folder.path)
    }
    #expect(throws: ArchiveError(.unreadable, name: "No such file or directory")) {
      try KeyedArchive(contentsOf: folder.file(named: "none"))
    }
  }
}

extension PropertyListValue {
  /// The same with a dictionary in place of each UID, as in XML.
  fileprivate var withoutUIDs: PropertyListValue {
    switch self {
    case .uid(let uid): ["CF$UID": .integer(Int64(uid))]
    case .array(let values): .array(values.map(\.withoutUIDs))
    case .dictionary(let pairs):
      .dictionary(pairs.map { KeyValue($0.key, $0.value.withoutUIDs) })
    default: self
    }
  }
}
