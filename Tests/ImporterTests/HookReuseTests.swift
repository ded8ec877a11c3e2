import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

/// A coder, and a row, serve several objects one after the other, unless somebody has kept them.
@Suite("Hooks of many objects")
struct HookReuseTests {
  private static let model = ModelXML.document(
    """
    <entity name="Item">
      <attribute name="number" attributeType="Integer 64" defaultValueString="-1"/>
      <attribute name="text" optional="YES" attributeType="String"/>
      <attribute name="aNameOfMoreThanFifteenBytes" optional="YES" attributeType="String"/>
      <attribute name="amount" optional="YES" attributeType="Double"/>
      <attribute name="small" optional="YES" attributeType="Integer 16"/>
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <attribute name="made" optional="YES" attributeType="Date"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="key" optional="YES" attributeType="UUID"/>
      <attribute name="link" optional="YES" attributeType="URI"/>
      <attribute name="bytes" optional="YES" attributeType="Binary"/>
      <attribute name="short" attributeType="String" minValueString="1" maxValueString="5"
        defaultValueString="none"/>
    </entity>
    """)

  /// Items of several shapes, some without values, in a list.
  private static func items(_ count: Int) -> KeyedArchiveBuilder {
    .archive { archive in
      var random = SeededGenerator(seed: 11)
      func chance() -> Bool { Int.random(in: 0..<5, using: &random) == 0 }
      let items = (0..<count).map { number in
        let text = [
          "", "plain", "ünïcode \(number)", String(repeating: "long \(number) ", count: 900),
        ]
        var keys: KeyValuePairs<String, PropertyListValue> {
          chance() ? ["number": .integer(Int64(number)), "text": archive.string("few")] : all
        }
        var all: KeyValuePairs<String, PropertyListValue> {
          [
            "number": .integer(Int64(number)),
            "text": chance() ? .none : archive.string(text[number % 4]),
            "aNameOfMoreThanFifteenBytes": chance() ? archive.null() : archive.string(text[1]),
            "amount": chance() ? archive.number(2.5) : .real(Double(number) / 3),
            "small": .integer(Int64(number % 7)), "flag": .bool(number % 2 == 0),
            "made": chance() ? .none : archive.date(secondsSince2001: Double(number) * 86_400.25),
            "price": archive.decimal(words: [UInt16(number), 1], exponent: -number % 30),
            "key": archive.uuid(
              UUID(uuid: (UInt8(number % 256), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
            "link": archive.url("https://example.org/\(number)"),
            "bytes": archive.data(Data(repeating: UInt8(number % 256), count: number % 50)),
            "short": chance() ? .none : archive.string("s\(number % 1_000)"),
          ]
        }
        return archive.instance(of: "Item", keys)
      }
      return archive.array(items)
    }
  }

  /// Reads and sets each value as one of its type.
  struct ByType: ImportHook {
    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let item = try coder.insert(into: "Item")
      item["number"] = try coder.decodeInt64(forKey: "number")
      item["text"] = try coder.decodeString(forKey: "text")
      item["aNameOfMoreThanFifteenBytes"] =
        try coder.decodeString(forKey: "aNameOfMoreThanFifteenBytes")
      guard coder.containsValue(forKey: "amount") else { return item }
      item["amount"] = try coder.decodeDouble(forKey: "amount")
      item["small"] = try coder.decodeInteger(forKey: "small")
      item["flag"] = try coder.decodeBool(forKey: "flag")
      item["made"] = try coder.decodeDate(forKey: "made")
      item["price"] = try coder.decodeDecimal(forKey: "price")
      item["key"] = try coder.decodeUUID(forKey: "key")
      item["link"] = try coder.decodeURL(forKey: "link")
      item["bytes"] = try coder.decodeData(forKey: "bytes")
      if let short = try coder.decodeString(forKey: "short") { item["short"] = short }
      return item
    }
  }

  /// Reads and sets whatever there is, in the order of the archive or against it.
  private static func copy(_ keys: [String], _ coder: ImportCoder) throws -> DestinationInstance? {
    let item = try coder.insert()
    for key in keys {
      // Texts that are made while the program runs.
      let name = key.map(String.init).joined()
      let value = try coder.decodeObject(forKey: name)
      if value.isNull, name == "short" { continue }
      item[key] = value
    }
    return item
  }

  struct ByValue: ImportHook {
    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      try copy(coder.allKeys, coder)
    }
  }

  struct Backwards: ImportHook {
    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      try copy(coder.allKeys.reversed(), coder)
    }
  }

  /// In another order for each object, and each value twice.
  struct Shuffled: ImportHook {
    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      var random = SeededGenerator(seed: UInt64(coder.uid))
      let keys = coder.allKeys.shuffled(using: &random)
      let item = try copy(keys, coder)
      for key in keys { item?[key] = item?[key] ?? ImportValue.null }
      return item
    }
  }

  /// Keeps coders and rows for as long as the run goes on.
  final class Keeping: ImportedObject {
    nonisolated(unsafe) static var kept: [(coder: ImportCoder, uid: Int, item: Keeping)] = []

    override class var archivedClassNames: [String] { ["Item"] }
    override class var entityName: String? { "Item" }

    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      for key in coder.allKeys {
        let value = try coder.decodeObject(forKey: key)
        if !value.isNull || key != "short" { self[key] = value }
      }
      Self.kept.append((coder, coder.uid, self))
    }
  }

  private func content(_ hook: any ImportHook.Type, _ count: Int = 60) throws -> String {
    let conversion = try SteeredConversion(
      [Self.items(count)], model: Self.model, ImportExtensions(hooks: [hook]))
    let (store, report) = try conversion.run(isRepeated: hook != Keeping.self)
    #expect(report.unread == [])
    return try store.content(except: ["_archive", "_run", "_report"])
  }

  @Test("make the same rows, in whatever order and by whatever type they set values")
  func ways() throws {
    let expected = try content(ByType.self)
    #expect(expected.contains("long 59 long 59") && expected.contains("none"))
    #expect(try content(ByValue.self) == expected)
    #expect(try content(Backwards.self) == expected)
    #expect(try content(Shuffled.self) == expected)
  }

  @Test("leave coders and rows to those who have kept them")
  func kept() throws {
    defer { Keeping.kept = [] }
    #expect(try content(Keeping.self) == content(ByType.self))
    #expect(Keeping.kept.count == 60)
    #expect(Keeping.kept.allSatisfy { $0.coder.uid == $0.uid })
    let rows = Keeping.kept.map { $0.item.instance.reference }
    #expect(Set(rows).count == 60)
  }

  /// Changes the row of the object before.
  struct Late: ImportHook {
    nonisolated(unsafe) static var last: DestinationInstance?
    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let item = try coder.insert(into: "Item")
      let number = try coder.decodeInteger(forKey: "number")
      item["number"] = number
      if let last { last["text"] = "before \(number)" }
      last = item
      for key in coder.allKeys { coder.ignore(key) }
      return item
    }
  }

  @Test("can change the row of an object before")
  func late() throws {
    defer { Late.last = nil }
    let conversion = try SteeredConversion(
      [Self.items(5)], model: Self.model, ImportExtensions(hooks: [Late.self]))
    let (store, _) = try conversion.run()
    #expect(
      try store.lines("SELECT number, text, short FROM Item ORDER BY id") == [
        "0|before 1|none", "1|before 2|none", "2|before 3|none", "3|before 4|none", "4|NULL|none",
      ])
  }

  /// Fails for one object, and takes values of other types than those of the attributes.
  struct Picky: ImportHook {
    struct Refusal: Error {}

    static let archivedClassNames = ["Item"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let item = try coder.insert(into: "Item")
      let number = try coder.decodeInteger(forKey: "number")
      item["text"] = "of \(number)"
      if number == 2 { throw Refusal() }
      item["number"] = number == 3 ? ImportValue.text("three") : ImportValue(number)
      item["short"] = ImportValue.text(number == 4 ? "too long" : "ok")
      item["unknown"] = number
      for key in coder.allKeys { coder.ignore(key) }
      return item
    }
  }

  @Test("that fail for one are run for the others, and each mistake is told of its object")
  func failures() throws {
    let conversion = try SteeredConversion(
      [Self.items(6)], model: Self.model, ImportExtensions(hooks: [Picky.self]))
    let unknown = "Item.unknown: the model has no such name"
    #expect(
      try conversion.failure() == [
        "a0.plist: Item: \(unknown): 5 times, first in object 12",
        "a0.plist: object 26 (Item): Item: the hook failed (Picky: Refusal)",
        "a0.plist: object 35 (Item): Item.number: cannot hold this text (its type is integer)",
        "a0.plist: object 43 (Item): Item.short: the text is too long (at most 5)",
      ])
  }
}
