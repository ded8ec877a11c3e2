import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Hooks of value classes")
struct ValueHookTests {
  private func conversion(
    _ archive: KeyedArchiveBuilder, mapping: String? = nil, hooks: [any ImportHook.Type] = [],
    _ values: any ImportValueHook.Type...
  ) throws -> SteeredConversion {
    try SteeredConversion(
      [archive], model: mapping == nil ? HookModel.document : nil, mapping: mapping,
      ImportExtensions(hooks: hooks, values: values))
  }

  /// The article's enumeration that poses as an object.
  struct TransactionType: ImportValueHook {
    static let archivedClassNames = ["TransactionType"]

    static func value(from coder: ImportCoder) throws -> ImportValue {
      let number = try coder.decodeInteger(forKey: "rawValue")
      guard (0...1).contains(number) else {
        throw ImportError(.refused, name: "there is no such type of transaction")
      }
      return number == 0 ? "INCOME" : "EXPENSE"
    }
  }

  private func records(_ numbers: [Int]) -> KeyedArchiveBuilder {
    .archive { archive in
      let types = Set(numbers).sorted().map { number in
        archive.instance(
          of: "TransactionType", ["rawValue": .integer(Int64(number)), "title": .none])
      }
      let records = numbers.map { number in
        archive.instance(
          of: "Record", ["type": types[Set(numbers).sorted().firstIndex(of: number) ?? 0]])
      }
      return archive.array(records)
    }
  }

  private static let mapping = """
    entities:
      Record:
        attributes:
          type: {from: type, type: string}
    """

  @Test("give the value that takes the place of each object, shared or not")
  func value() throws {
    let (store, report) = try conversion(
      records([1, 0, 1]), mapping: Self.mapping, TransactionType.self
    ).run()
    #expect(try store.lines("SELECT type FROM Record") == ["EXPENSE", "INCOME", "EXPENSE"])
    // Two objects, one of them read twice.
    #expect(report.unread == ["TransactionType.title 2"])
    #expect(report.unmappedClasses.isEmpty)
  }

  @Test("reject the archive of a value that they refuse")
  func failure() throws {
    let messages = try conversion(
      records([0, 7]), mapping: Self.mapping, TransactionType.self
    ).failure()
    #expect(messages.count == 1)
    #expect(
      messages[0].hasSuffix(
        "the hook failed (TransactionType: there is no such type of transaction)"))
    #expect(messages[0].contains("(TransactionType)"))
  }

  /// A point, whose name is a value too.
  struct Point: ImportValueHook {
    static let archivedClassNames = ["Point"]

    static func value(from coder: ImportCoder) throws -> ImportValue {
      // What a value's hook inserts is not the row of the object that holds the value.
      try coder.insert(into: "Thing")["name"] = "made by a point"
      let name = try coder.decodeObject(forKey: "name")
      return .list([name, .integer(Int64(try coder.decodeInteger(forKey: "x")))])
    }
  }

  struct Name: ImportValueHook {
    static let archivedClassNames = ["Name"]

    static func value(from coder: ImportCoder) throws -> ImportValue {
      try coder.decodeObject(forKey: "text")
    }
  }

  struct Thing: ImportHook {
    static let archivedClassNames = ["Thing"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let value = try coder.decodeObject(forKey: "value")
      let thing = try coder.insert()
      thing["name"] = "\(value)"
      return thing
    }
  }

  @Test("may use one another, and stand in collections")
  func nesting() throws {
    let archive = KeyedArchiveBuilder.of("Thing") { archive in
      let name = archive.instance(of: "Name", ["text": archive.string("p")])
      let point = archive.instance(of: "Point", ["name": name, "x": 3])
      return ["value": archive.dictionary([archive.string("at"): archive.array([point, name])])]
    }
    let (store, report) = try conversion(
      archive, hooks: [Thing.self], Point.self, Name.self
    ).run()
    let expected = ImportValue.dictionary([
      ImportValue.Pair("at", [["p", 3], "p"])
    ])
    #expect(
      try store.lines("SELECT id, name FROM Thing") == ["1|\(expected)", "2|made by a point"])
    #expect(try store.lines("SELECT entity, row FROM _top") == ["Thing|1"])
    #expect(report.unread == [])
  }

  @Test("end with an error where values hold themselves")
  func cycle() throws {
    let archive = KeyedArchiveBuilder.of("Thing") { archive in
      let name = archive.reserve()
      archive.fill(name, className: "Name", ["text": name.reference])
      return ["value": name.reference]
    }
    let messages = try conversion(archive, hooks: [Thing.self], Name.self).failure()
    #expect(messages.count == 1)
    #expect(messages[0].contains("(Name): the hook failed ("))
  }
}
