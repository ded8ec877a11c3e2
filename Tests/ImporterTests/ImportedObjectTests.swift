import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("Hooks as classes")
struct ImportedObjectTests {
  private static let hierarchy = ["Square", "Polygon", "Shape", "NSObject"]

  /// The names of the classes are those in the archive.
  class Shape: ImportedObject {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      if let name = try coder.decodeString(forKey: "name") { self["name"] = name }
    }

    override func awakeFromInsert() {
      super.awakeFromInsert()
      self["name"] = "new"
    }
  }

  class Polygon: Shape {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      sides = try coder.decodeInteger(forKey: "sides")
    }

    override func awakeFromInsert() {
      super.awakeFromInsert()
      self["name"] = "new " + (self["name"] ?? "?")
    }

    var sides: Int {
      get { self["sides"] ?? 0 }
      set { self["sides"] = newValue }
    }
  }

  final class Square: Polygon {
    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["width"] = try coder.decodeDouble(forKey: "width")
      if sides != 4 { throw ImportError(.refused, name: "a square has four sides") }
    }
  }

  private func square(sides: Int, name: String?) -> KeyedArchiveBuilder {
    .archive { archive in
      archive.instance(
        of: "Square", hierarchy: Self.hierarchy,
        [
          "name": name.map { archive.string($0) } ?? .none, "sides": .integer(Int64(sides)),
          "width": .real(0.5), "area": .real(0.25),
        ])
    }
  }

  @Test("chain from initializer to initializer, three levels up")
  func chain() throws {
    let (store, report) = try HookModel.conversion(
      square(sides: 4, name: "s"), hooks: Square.self, Polygon.self
    ).run()
    #expect(try store.lines("SELECT name, sides, width FROM Square") == ["s|4|0.5"])
    #expect(report.unread == ["Square.area 1"])
  }

  @Test("set what every new row gets, before the archive's values override it")
  func awakeFromInsert() throws {
    let (store, _) = try HookModel.conversion(
      square(sides: 4, name: nil), square(sides: 4, name: "s"), hooks: Square.self
    ).run()
    #expect(try store.lines("SELECT name FROM Square") == ["new new", "s"])
  }

  @Test("are for the class of their own name only: that of a superclass takes no subclass's object")
  func ownClass() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let polygon = archive.instance(of: "Polygon", ["sides": 3])
      let square = archive.instance(
        of: "Square", hierarchy: Self.hierarchy, ["sides": 4, "name": archive.string("s")])
      return archive.array([polygon, square])
    }
    let (store, _) = try HookModel.conversion(archive, hooks: Polygon.self).run()
    // The square is made by names.
    #expect(
      try store.lines("SELECT name, sides FROM Polygon ORDER BY sides") == ["new new|3", "s|4"])
  }

  @Test("throw from their initializers")
  func failure() throws {
    let messages = try HookModel.conversion(square(sides: 3, name: nil), hooks: Square.self)
      .failure()
    #expect(
      messages == [
        "a0.plist: object 1 (Square): Square: the hook failed (Square: a square has four sides)"
      ])
  }

  /// Several archived classes, and an entity of another name.
  final class Container: ImportedObject {
    override class var archivedClassNames: [String] { ["Crate", "Garden.Pot"] }
    override class var entityName: String? { "Box" }

    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["name"] = coder.className
      self["things"] = try coder.decodeRows(forKey: "content")
    }
  }

  @Test("may be for several classes, and for an entity of another name")
  func otherNames() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let thing = archive.instance(of: "Thing", ["name": archive.string("t")])
      return archive.array([
        archive.instance(of: "Crate", ["content": archive.array([thing])]),
        archive.instance(of: "Garden.Pot"),
      ])
    }
    let (store, _) = try HookModel.conversion(archive, hooks: Container.self).run()
    #expect(try store.lines("SELECT id, name FROM Box") == ["1|Crate", "2|Garden.Pot"])
    #expect(try store.lines("SELECT name, box_id, things_position FROM Thing") == ["t|1|0"])
  }

  /// Sets and gets values as Swift types.
  final class Sample: ImportedObject {
    override class var entityName: String? { "Thing" }

    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["name"] = "a"
      self["size"] = 2
      self["price"] = Decimal(string: "1.50")
      self["made"] = Date(timeIntervalSinceReferenceDate: 0)
      let box = try coder.insert(into: "Box")
      self["box"] = box
      let name: String? = self["name"]
      let wrong: Date? = self["name"]
      let price: Decimal? = self["price"]
      let made: Date? = self["made"]
      let back: DestinationInstance? = self["box"]
      let things: [DestinationInstance]? = box["things"]
      let found: [Any?] = [
        name, wrong, self["size"] as Double?, price, made?.timeIntervalSinceReferenceDate,
        back?.entityName, things?.count, instance["size"] == 2,
      ]
      box["name"] = found.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ")
      self["price"] = nil as Decimal?
      self["made"] = .null
    }
  }

  @Test("set and get values as Swift types")
  func swiftTypes() throws {
    let (store, _) = try HookModel.conversion(
      KeyedArchiveBuilder.of("Sample") { _ in [:] }, hooks: Sample.self
    ).run()
    #expect(try store.value("SELECT name FROM Box") == "a nil 2.0 1.5 0.0 Box 1 true")
    #expect(try store.lines("SELECT name, size, price, made FROM Thing") == ["a|2|NULL|NULL"])
  }
}
