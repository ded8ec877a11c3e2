import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("A hook for an entity that the model does not have")
struct HookEntityTests {
  private final class Bed: ImportedObject {
    override class var archivedClassNames: [String] { ["Bed", "Row", "Garden.Bed"] }
    override class var entityName: String? { "Bad" }
  }

  private static func archive(_ classes: String...) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      archive.array(classes.map { archive.instance(of: $0, ["name": archive.string($0)]) })
    }
  }

  @Test("does no harm where no object is for it")
  func absent() throws {
    let (store, _) = try HookModel.conversion(Self.archive("Box"), hooks: Bed.self).run()
    #expect(try store.lines("SELECT name FROM Box") == ["Box"])
  }

  @Test("is told once, with the hook and the class, where objects are")
  func present() throws {
    let messages = try HookModel.conversion(
      Self.archive("Box", "Row", "Row", "Row"), hooks: Bed.self
    ).failure()
    #expect(
      messages == [
        "a0.plist: Row: the hook failed (Bed: unknown entity 'Bad'): "
          + "3 times, first in object 5"
      ])
  }

  @Test("leaves out the archives that have such objects, and no others, if those are skipped")
  func skipped() throws {
    var run = try HookModel.conversion(Self.archive("Box"), Self.archive("Bed"), hooks: Bed.self)
    run.options.errorPolicy = .skip
    let (store, report) = try run.run()
    #expect(try store.lines("SELECT name FROM Box") == ["Box"])
    #expect(report.archives.map(\.outcome) == [.converted, .rejected])
  }
}
