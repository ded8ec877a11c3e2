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

  @Test("fail where no superclass has a hook")
  func noSuperclass() throws {
    let messages = try HookModel.conversion(square, hooks: SquareHook.self, PolygonHook.self)
      .failure()
    #expect(
      messages == [
        "a0.plist: object 2 (OldSquare): Square: the hook failed "
          + "(no hook is there for a superclass of 'OldSquare')"
      ])
  }
}
