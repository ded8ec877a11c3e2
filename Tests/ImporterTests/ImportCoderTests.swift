import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("A coder of a hook")
struct ImportCoderTests {
  /// Writes a row for each key of an object, with what each way to decode it gives.
  struct Probe: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      for key in coder.allKeys + ["absent"] {
        let row = try coder.insert(into: "Reading")
        row["key"] = key
        row["found"] = readings(of: key, coder).joined(separator: " ")
      }
      return nil
    }

    private static func readings(of key: String, _ coder: ImportCoder) -> [String] {
      [
        reading { "s:\(try coder.decodeString(forKey: key) ?? "-")" },
        reading { "b:\(try coder.decodeBool(forKey: key))" },
        reading { "i:\(try coder.decodeInteger(forKey: key))" },
        reading { "d:\(try coder.decodeDouble(forKey: key))" },
        reading { "f:\(try coder.decodeFloat(forKey: key))" },
        reading { "n:\(text(try coder.decodeDecimal(forKey: key)))" },
        reading { "t:\(text(try coder.decodeDate(forKey: key)?.timeIntervalSince1970))" },
        reading { "x:\(text(try coder.decodeData(forKey: key).map(Array.init)))" },
        reading { "u:\(text(try coder.decodeUUID(forKey: key)))" },
        reading { "l:\(text(try coder.decodeURL(forKey: key)))" },
        reading { "a:\(try coder.decodeArray(of: String.self, forKey: key))" },
        reading { "r:\(text(try coder.decodeRow(forKey: key)?.entityName))" },
        reading { "m:\(try coder.decodeRows(forKey: key).map(\.entityName))" },
      ].filter { $0 != "!" }
    }

    private static func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "-" }

    /// What a way to decode gives; "!" where it says that the value is of another kind.
    private static func reading(_ body: () throws -> String) -> String {
      do {
        return try body()
      } catch let error as ImportError {
        return error.code == .wrongKind ? "!" : "\(error)"
      } catch let error as ArchiveError where error.code == .outOfRange {
        return "range"
      } catch {
        return "\(error)"
      }
    }
  }

  private static let nothing = [
    "s:-", "b:false", "i:0", "d:0.0", "f:0.0", "n:-", "t:-", "x:-", "u:-", "l:-", "a:[]", "r:-",
    "m:[]",
  ].joined(separator: " ")

  /// What `Probe` finds under a key with some value.
  private func found(
    _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> String {
    let archive = try KeyedArchiveBuilder.of("Probe") { ["key": try value(&$0)] }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Probe.self])
    ).run()
    #expect(report.unread == [])
    #expect(try store.value("SELECT found FROM Reading WHERE \"key\" = 'absent'") == Self.nothing)
    return try store.value("SELECT found FROM Reading WHERE \"key\" = 'key'")
  }

  @Test("gives of a compiled nib what it gives of the keyed archive of the same object")
  func nib() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      [
        "text": archive.string("a"), "number": 7, "flag": true, "real": 0.5,
        "list": archive.array([archive.string("b")]),
      ]
    }.binary()
    let readings = try [archive, Data(NibWriter.nib(of: KeyedArchive(bytes: archive)))].map {
      file in
      let (store, _) = try SteeredConversion(
        [file], model: HookModel.document, ImportExtensions(hooks: [Probe.self])
      ).run()
      return try store.lines("SELECT \"key\", found FROM Reading ORDER BY \"key\"")
    }
    #expect(readings[0].count == 6)
    #expect(readings[0] == readings[1])
  }

  @Test("gives nothing for nil and NSNull, as for a key that is not there")
  func nothing() throws {
    #expect(try found { _ in .none } == Self.nothing)
    #expect(try found { $0.null() } == Self.nothing)
  }

  @Test("takes numbers for one another as far as nothing is lost")
  func numbers() throws {
    #expect(try found { _ in true } == "b:true i:1 d:1.0 f:1.0")
    #expect(try found { _ in -7 } == "b:true i:-7 d:-7.0 f:-7.0 n:-7")
    #expect(try found { $0.number(7) } == "b:true i:7 d:7.0 f:7.0 n:7")
    #expect(try found { $0.number(false) } == "b:false i:0 d:0.0 f:0.0")
    #expect(try found { _ in .real(2.5) } == "b:true d:2.5 f:2.5")
    #expect(try found { $0.number(2.0) } == "b:true i:2 d:2.0 f:2.0")
    #expect(try found { _ in .real(1e300) } == "b:true range d:1e+300 f:inf")
    #expect(try found { _ in .real(.nan) } == "b:true d:nan f:nan")
    #expect(try found { try $0.decimal("12.30") } == "b:true d:12.3 f:12.3 n:12.3")
    #expect(try found { try $0.decimal("-4") } == "b:true i:-4 d:-4.0 f:-4.0 n:-4")
  }

  @Test("gives texts, dates, data, UUIDs and URLs to those who ask for them")
  func plainValues() throws {
    #expect(try found { $0.string("a b") } == "s:a b")
    #expect(try found { $0.mutableString("mañana") } == "s:mañana")
    #expect(try found { $0.date(secondsSince2001: -1.5) } == "t:978307198.5")
    #expect(try found { $0.data(Data([1, 255])) } == "x:[1, 255]")
    #expect(try found { _ in .data(Data()) } == "x:[]")
    let uuid = try #require(UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C3301"))
    #expect(try found { $0.uuid(uuid) } == "u:3F2504E0-4F89-41D3-9A0C-0305E82C3301")
    let url = try found { archive in
      archive.url("b?c", base: archive.url("https://example.org/a/"))
    }
    #expect(url == "l:https://example.org/a/b?c")
  }

  @Test("lists a URL of which it encodes characters")
  func encodedURL() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { ["key": $0.url("https://example.org/a b")] }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Probe.self])
    ).run()
    #expect(
      try store.value("SELECT found FROM Reading WHERE \"key\" = 'key'")
        == "l:https://example.org/a%20b")
    #expect(
      report.losses.map { "\($0.location): \($0.before) → \($0.after)" }
        == ["Probe.key: https://example.org/a b → https://example.org/a%20b"])
  }

  /// A hook that asks for several URLs.
  private enum Links: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert(into: "Reading")
      row["key"] = "key"
      row["found"] = try coder.decodeArray(of: URL.self, forKey: "key")
        .map(\.absoluteString).joined(separator: " ")
      return nil
    }
  }

  @Test("lists those of several URLs of which it encodes characters")
  func encodedURLs() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      ["key": archive.array([archive.url("a:b"), archive.url("c:d e")])]
    }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Links.self])
    ).run()
    #expect(try store.value("SELECT found FROM Reading") == "a:b c:d%20e")
    #expect(
      report.losses.map { "\($0.location): \($0.before) → \($0.after)" }
        == ["Probe.key: c:d e → c:d%20e"])
  }

  @Test("gives the elements of arrays and sets, holes left out, and never those of others")
  func collections() throws {
    #expect(try found { $0.array(["x", "y"]) } == #"a:["x", "y"]"#)
    #expect(try found { $0.set(["x"]) } == #"a:["x"]"#)
    #expect(try found { $0.array([.none, "y"]) } == #"a:["y"]"#)
    #expect(try found { $0.array([]) } == "a:[] m:[]")
    #expect(try found { $0.array(["x", 1]) } == "")
    #expect(try found { $0.dictionary(["x": 1]) } == "")
  }

  @Test("gives objects as rows")
  func rows() throws {
    let one = try found { $0.instance(of: "Thing") }
    #expect(one == "r:Thing")
    let several = try found { archive in
      let thing = archive.instance(of: "Thing")
      return archive.array([thing, archive.instance(of: "Box"), thing])
    }
    #expect(several == #"m:["Thing", "Box", "Thing"]"#)
    // A class without an entity has no rows.
    #expect(try found { $0.instance(of: "Cloud") } == Self.nothing)
  }

  /// Writes what a coder tells of an object, and decodes any value.
  struct Teller: ImportHook {
    static let archivedClassNames = ["Teller"]
    static let entityName: String? = "Reading"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert(into: "Reading")
      row["key"] = "\(coder.className) < \(coder.classHierarchy.dropFirst())"
      let path = coder.archivePath.split(separator: "/").last ?? ""
      let here = ["a", "none", "b", "$class"].map { "\(coder.containsValue(forKey: $0))" }
      row["found"] =
        "\(path) \(coder.uid) \(coder.allKeys) \(here) \(try coder.decodeObject(forKey: "b"))"
      coder.ignore("a")
      coder.ignore("b")
      return row
    }
  }

  @Test("tells of the object: class, archive, place, keys")
  func object() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "Teller", hierarchy: ["Teller", "Speaker", "NSObject"],
        ["a": .none, "b": archive.array([1, .none, "x"]), "c": 3])
    }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Teller.self])
    ).run()
    #expect(
      try store.lines("SELECT key FROM Reading") == [#"Teller < ["Speaker", "NSObject"]"#])
    let value = ImportValue.list([1, .null, "x"])
    #expect(
      try store.lines("SELECT found FROM Reading") == [
        #"a0.plist 5 ["a", "b", "c"] ["true", "false", "true", "false"] \#(value)"#
      ])
    #expect(report.unread == ["Teller.c 1"])
    #expect(report.ignored == ["Teller.a 1", "Teller.b 1"])
  }
}
