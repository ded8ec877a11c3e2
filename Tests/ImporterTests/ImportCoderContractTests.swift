import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("The contract of a coder of hooks")
struct ImportCoderContractTests {
  /// Writes a row for each way to decode the key `key`, with what it gives.
  struct Reader: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let key = "key"
      try note("bool", coder) { "\(try coder.decodeBool(forKey: key))" }
      try note("int32", coder) { "\(try coder.decodeInt32(forKey: key))" }
      try note("int64", coder) { "\(try coder.decodeInt64(forKey: key))" }
      try note("integer", coder) { "\(try coder.decodeInteger(forKey: key))" }
      try note("float", coder) { "\(try coder.decodeFloat(forKey: key))" }
      try note("double", coder) { "\(try coder.decodeDouble(forKey: key))" }
      try note("object", coder) { try coder.decodeObject(forKey: key).kind }
      try note("string", coder) { try coder.decodeString(forKey: key) ?? "nil" }
      try note("bytes", coder) { "\(try coder.decodeBytes(forKey: key)?.count ?? 0)" }
      try note("list", coder) { try coder.decodePropertyList(forKey: key).kind }
      try note("point", coder) { "\(try coder.decodePoint(forKey: key).x)" }
      try note("size", coder) { "\(try coder.decodeSize(forKey: key).width)" }
      try note("rect", coder) { "\(try coder.decodeRect(forKey: key).size.width)" }
      return nil
    }

    private static func note(
      _ name: String, _ coder: ImportCoder, _ body: () throws -> String
    ) throws {
      let row = try coder.insert(into: "Reading")
      row["key"] = name
      do {
        row["found"] = try body()
      } catch let error as ArchiveError {
        row["found"] = "!\(error.code.rawValue)"
      } catch let error as ImportError {
        row["found"] = "!\(error.code.rawValue)"
      }
    }
  }

  /// What each way to decode gives of a value, those left out that say it is of another kind.
  private func found(
    strict: Bool, _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> [String] {
    let archive = try KeyedArchiveBuilder.of("Probe") { ["key": try value(&$0)] }
    let extensions = ImportExtensions(
      hooks: [Reader.self], decoding: DecodingOptions(isStrict: strict))
    let (store, _) = try SteeredConversion(
      [archive], model: HookModel.document, extensions
    ).run()
    return try store.lines(
      "SELECT key || ' ' || found FROM Reading WHERE found <> '!wrongKind' ORDER BY id")
  }

  private static let nothing = [
    "bool false", "int32 0", "int64 0", "integer 0", "float 0.0", "double 0.0", "object nil",
    "string nil", "bytes 0", "list nil", "point 0.0", "size 0.0", "rect 0.0",
  ]

  @Test("gives nothing for nil to a lenient one, and only objects to a strict one")
  func nothing() throws {
    #expect(try found(strict: false) { _ in .none } == Self.nothing)
    #expect(
      try found(strict: true) { _ in .none } == [
        "object nil", "string nil", "list nil", "point 0.0", "size 0.0", "rect 0.0",
      ])
  }

  @Test("takes numbers in their place and as objects, a strict one only in their place")
  func numbers() throws {
    let seven = [
      "bool true", "int32 7", "int64 7", "integer 7", "float 7.0", "double 7.0", "object integer",
      "list integer",
    ]
    #expect(try found(strict: false) { _ in 7 } == seven)
    #expect(try found(strict: false) { $0.number(7) } == seven)
    #expect(try found(strict: true) { _ in 7 } == ["int32 7", "int64 7", "integer 7"])
    #expect(try found(strict: true) { $0.number(7) } == ["object integer", "list integer"])
    #expect(try found(strict: true) { _ in true } == ["bool true"])
    #expect(try found(strict: true) { _ in 2.0 } == ["float 2.0", "double 2.0"])
    #expect(
      try found(strict: true) { _ in .integer(1 << 40) } == [
        "int32 !outOfRange", "int64 1099511627776", "integer 1099511627776",
      ])
  }

  @Test("takes bytes, texts and geometry in the form that their encoders write")
  func others() throws {
    let bytes = PropertyListValue.data(Data([1, 2, 3]))
    #expect(try found(strict: true) { _ in bytes } == ["bytes 3"])
    #expect(try found(strict: true) { $0.add(bytes) } == ["object data", "list data"])
    #expect(try found(strict: false) { _ in bytes } == ["object data", "bytes 3", "list data"])
    #expect(
      try found(strict: true) { $0.string("{1, 2}") } == [
        "object text", "string {1, 2}", "list text", "point 1.0", "size 1.0",
      ])
    #expect(
      try found(strict: true) { $0.string("{{1, 2}, {3, 4}}") } == [
        "object text", "string {{1, 2}, {3, 4}}", "list text", "rect 3.0",
      ])
    #expect(
      try found(strict: false) { $0.array([1, $0.set([2])]) } == [
        "object array", "list !classNotAllowed",
      ])
    #expect(
      try found(strict: false) {
        $0.instance(of: "NSValue", ["NS.special": 1, "NS.pointval": $0.string("{5, 6}")])
      } == ["object NSValue", "list !classNotAllowed", "point 5.0"])
  }

  @Test("lists numbers as lost that do not fit the precision that was asked for")
  func losses() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { _ in ["key": 1e300] }
    let (_, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Reader.self])
    ).run()
    #expect(
      report.losses.map { "\($0.className).\($0.key) \($0.after): \($0.reason)" } == [
        "Probe.key inf: the number does not fit the precision requested by a hook"
      ])
  }

  /// Reads numbers with less precision than they have.
  struct Rounding: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      _ = try coder.decodeFloat(forKey: "float")
      _ = try coder.decodeFloat(forKey: "exact")
      _ = try coder.decodeFloat(forKey: "whole")
      _ = try coder.decodeDouble(forKey: "decimal")
      _ = try coder.decodeDouble(forKey: "short")
      return nil
    }
  }

  @Test("lists digits as lost that are not there any more")
  func lostDigits() throws {
    let archive = try KeyedArchiveBuilder.of("Probe") { archive in
      [
        "float": 0.1, "exact": 0.5, "whole": 16_777_217,
        "decimal": try archive.decimal("12345678901234567890.123456789"),
        "short": try archive.decimal("0.1"),
      ]
    }
    let (_, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Rounding.self])
    ).run()
    #expect(
      report.losses.map { "\($0.key) \($0.before): \($0.after)" } == [
        "float 0.1: 0.10000000149011612", "whole 16777217: 16777216.0",
        "decimal 12345678901234567890.123456789: 1.2345678901234567e+19",
      ])
  }

  // MARK: Keys

  /// Reads keys that look like the format's own, and values without keys.
  struct Unkeyed: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert(into: "Reading")
      row["key"] = "\(coder.allKeys) \(coder.unkeyedCount) \(coder.containsValue(forKey: "$0"))"
      let values = [
        try coder.decodeObject(forKey: "$a"), try coder.decodeObject(),
        try coder.decodeValue(ofObjCType: "i"), try coder.decodeValue(ofObjCType: "@"),
      ]
      row["found"] = "\(values)"
      coder.ignore("$b")
      return nil
    }
  }

  @Test("tells keys that begin with a dollar from the numbers of values without a key")
  func keys() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "Probe", [KeyValue("$a", 1), KeyValue("$b", 2), KeyValue("$c", 3)],
        unkeyed: [archive.string("x"), 5, .none, 9])
    }
    let (store, report) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Unkeyed.self])
    ).run()
    let values: [ImportValue] = [1, "x", 5, .null]
    #expect(
      try store.lines("SELECT key, found FROM Reading") == [
        "[\"$a\", \"$b\", \"$c\"] 4 false|\(values)"
      ])
    #expect(report.unread == ["Probe.$$c 1", "Probe.$3 1"])
    #expect(report.ignored == ["Probe.$$b 1"])
  }

  // MARK: Classes

  /// Decodes what is allowed.
  struct Allowing: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      for key in coder.allKeys {
        let row = try coder.insert(into: "Reading")
        row["key"] = key
        do {
          row["found"] = try coder.decodeObject(
            ofClasses: ["NSArray", "Thing", "Garden.Plant.Leaf"], forKey: key
          ).kind
        } catch let error as ArchiveError {
          row["found"] = "!\(error)"
        }
      }
      return nil
    }
  }

  @Test("gives objects of the classes asked for and of their subclasses, and names others")
  func allowed() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      [
        "a": archive.instance(of: "Thing"),
        "b": archive.instance(of: "Gadget", hierarchy: ["Gadget", "Thing", "NSObject"]),
        "c": archive.array([archive.instance(of: "_TtCC6Garden5Plant4Leaf")]),
        "d": archive.array([archive.instance(of: "Box")]), "e": archive.string("x"),
      ]
    }
    let (store, _) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Allowing.self])
    ).run()
    let found = try store.lines("SELECT key, found FROM Reading ORDER BY key")
    #expect(
      found == [
        "a|object", "b|nil", "c|array",
        "d|!an object of the class Box is not allowed here (object 13, key d)",
        "e|!an object of the class NSString is not allowed here (object 13, key e)",
      ])
  }

  /// Decodes a key in the way that another key names.
  struct Greedy: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      switch try coder.decodeString(forKey: "way") {
      case "object": _ = try coder.decodeObject(forKey: "key")
      case "classes": _ = try coder.decodeObject(ofClasses: ["NSArray", "Thing"], forKey: "key")
      case "array": _ = try coder.decodeArray(of: String.self, forKey: "key")
      default: _ = try coder.decodePropertyList(forKey: "key")
      }
      return nil
    }
  }

  /// A value that holds another one twice.
  struct Twice: ImportValueHook {
    static let archivedClassNames = ["Twice"]

    static func value(from coder: ImportCoder) throws -> ImportValue {
      .list([try coder.decodeObject(forKey: "a"), try coder.decodeObject(forKey: "b")])
    }
  }

  @Test(
    "does not let collections in one another grow out of proportion",
    arguments: ["object", "classes", "array", "list"])
  func expansion(way: String) throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      let list = (0..<20).reduce(into: archive.array([])) { list, _ in
        list = archive.array([list, list])
      }
      return ["way": archive.string(way), "key": list]
    }
    let messages = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Greedy.self])
    ).failure()
    #expect(messages.count == 1)
    #expect(messages.first?.contains("raise it with --limit expansion=N") == true, "\(messages)")
  }

  @Test("does not let values in one another grow out of proportion")
  func valueExpansion() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      let value = (0..<20).reduce(into: archive.string("x")) { value, _ in
        value = archive.instance(of: "Twice", ["a": value, "b": value])
      }
      return ["way": archive.string("object"), "key": value]
    }
    let messages = try SteeredConversion(
      [archive], model: HookModel.document,
      ImportExtensions(hooks: [Greedy.self], values: [Twice.self])
    ).failure()
    #expect(messages.contains { $0.contains("raise it with --limit expansion=N") }, "\(messages)")
  }

  @Test("gives a long list with shared elements as often as it is asked for")
  func flatLists() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { archive in
      let text = archive.string("x")
      return [
        "way": archive.string("list"), "key": archive.array(Array(repeating: text, count: 1000)),
      ]
    }
    let (store, _) = try SteeredConversion(
      [archive], model: HookModel.document, ImportExtensions(hooks: [Greedy.self])
    ).run()
    #expect(try store.lines("SELECT count(*) FROM Reading") == ["0"])
  }

  // MARK: Errors

  /// Decodes on behind an error.
  struct Careless: ImportHook {
    static let archivedClassNames = ["Probe"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert(into: "Reading")
      row["key"] = "\(try coder.decodeInteger(forKey: "text"))"
      row["found"] = try coder.decodeString(forKey: "text") ?? "nothing"
      return nil
    }
  }

  @Test("rejects the object at its end, if errors are kept")
  func setErrorAndReturn() throws {
    let archive = KeyedArchiveBuilder.of("Probe") { ["text": $0.string("x")] }
    for policy in DecodingFailurePolicy.allCases {
      let messages = try SteeredConversion(
        [archive], model: HookModel.document,
        ImportExtensions(
          hooks: [Careless.self], decoding: DecodingOptions(failurePolicy: policy))
      ).failure()
      #expect(
        messages == [
          "a0.plist: object 2 (Probe): the hook failed (Careless: 'text' holds text, but a number was requested)"
        ])
    }
  }
}
