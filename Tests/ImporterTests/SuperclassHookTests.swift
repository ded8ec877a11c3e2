import ArchiveReader
import ArchiveWriter
import Importer
import TestSupport
import Testing

@Suite("Hooks of superclasses")
struct SuperclassHookTests {
  struct ShapeHook: ImportHook {
    static let archivedClassNames = ["OldShape"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let shape = try coder.insert()
      shape["name"] = try coder.decodeObject(forKey: "name")
      coder.ignore("color")
      return shape
    }
  }

  struct PolygonHook: ImportHook {
    static let archivedClassNames = ["OldPolygon"]
    static let entityName: String? = "Polygon"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let polygon = try coder.insertBySuperclass()
      polygon?["sides"] = try coder.decodeInteger(forKey: "sides")
      return polygon
    }
  }

  struct SquareHook: ImportHook {
    static let archivedClassNames = ["OldSquare"]
    static let entityName: String? = "Square"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let square = try coder.insertBySuperclass()
      square?["width"] = try coder.decodeDouble(forKey: "width")
      return square
    }
  }

  private let square = KeyedArchiveBuilder.archive { archive in
    archive.instance(
      of: "OldSquare", hierarchy: ["OldSquare", "OldPolygon", "OldRegion", "OldShape", "NSObject"],
      ["name": archive.string("s"), "sides": 4, "width": .real(1.5), "color": 7, "depth": 0])
  }

  @Test("run the hooks of the superclasses on the same object, on and on")
  func superclasses() throws {
    let (store, report) = try HookModel.conversion(
      square, hooks: SquareHook.self, ShapeHook.self, PolygonHook.self
    ).run()
    #expect(try store.lines("SELECT name, sides, width FROM Square") == ["s|4|1.5"])
    #expect(report.unread == ["OldSquare.depth 1"])
    #expect(report.ignored == ["OldSquare.color 1"])
  }

  /// Decodes the first of two values without a key, and leaves the second to the superclass.
  struct PairHook: ImportHook {
    static let archivedClassNames = ["OldPair"]
    static let entityName: String? = "Thing"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let first = try coder.decodeObject()
      let thing = try coder.insertBySuperclass()
      thing?["name"] = "\(first) \(thing?["name"] ?? .null) \(try coder.decodeObject())"
      return thing
    }
  }

  struct SingleHook: ImportHook {
    static let archivedClassNames = ["OldSingle"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let thing = try coder.insert()
      thing["name"] = "\(try coder.decodeObject())"
      return thing
    }
  }

  @Test("go on where the subclass stopped, and the subclass where they do")
  func unkeyed() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "OldPair", hierarchy: ["OldPair", "OldSingle", "NSObject"], [],
        unkeyed: [1, 2, 3])
    }
    let (store, report) = try HookModel.conversion(
      archive, hooks: PairHook.self, SingleHook.self
    ).run()
    let (one, two, three): (ImportValue, ImportValue, ImportValue) = (1, 2, 3)
    #expect(
      try store.lines("SELECT name FROM Thing")
        == ["\(one) \(ImportValue.text("\(two)")) \(three)"])
    #expect(report.unread == [])
  }

  /// Goes on behind an error.
  struct CarelessHook: ImportHook {
    static let archivedClassNames = ["OldPair"]
    static let entityName: String? = "Thing"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      _ = try coder.decodeInteger(forKey: "name")
      return try coder.insertBySuperclass()
    }
  }

  /// Tells what it finds.
  struct TellingHook: ImportHook {
    static let archivedClassNames = ["OldSingle"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let name = try coder.decodeString(forKey: "name") ?? "nothing"
      throw ImportError(.refused, name: "\(name) behind \(coder.error == nil ? "no" : "an") error")
    }
  }

  @Test("decode nothing behind an error of the subclass, if errors are kept")
  func setErrorAndReturn() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "OldPair", hierarchy: ["OldPair", "OldSingle", "NSObject"],
        ["name": archive.string("n")])
    }
    let messages = try SteeredConversion(
      [archive], model: HookModel.document,
      ImportExtensions(
        hooks: [CarelessHook.self, TellingHook.self],
        decoding: DecodingOptions(failurePolicy: .setErrorAndReturn))
    ).failure()
    #expect(
      messages == [
        "a0.plist: object 2 (OldPair): Thing: the hook failed (CarelessHook: nothing behind an error)"
      ])
  }

  @Test("fail where no superclass has a hook")
  func noSuperclass() throws {
    let messages = try HookModel.conversion(square, hooks: SquareHook.self, PolygonHook.self)
      .failure()
    #expect(
      messages == [
        "a0.plist: object 2 (OldSquare): Square: the hook failed "
          + "(SquareHook: no hook is registered for a superclass of 'OldSquare')"
      ])
  }
}
