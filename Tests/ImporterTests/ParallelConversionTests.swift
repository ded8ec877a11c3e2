import ArchiveWriter
import Importer
import TestSupport
import Testing

@Suite("Conversions side by side")
struct ParallelConversionTests {
  class Marking: ImportedObject {
    class var mark: String { "" }

    override class var archivedClassNames: [String] { ["Thing"] }
    override class var entityName: String? { "Thing" }

    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["name"] = Self.mark + (try coder.decodeString(forKey: "name") ?? "")
      self["labels"] = [
        try coder.context.findOrInsert(into: "Label", identity: ["name": .text(Self.mark)])
      ]
    }
  }

  final class One: Marking {
    override class var mark: String { "one " }
  }

  final class Two: Marking {
    override class var mark: String { "two " }
  }

  @Test("with hooks of their own do not mix")
  func doNotMix() async throws {
    let names = (0..<300).map { "thing \($0)" }
    let stores = try await withThrowingTaskGroup(of: (String, [String], [String]).self) { group in
      for number in 0..<6 {
        let hook: Marking.Type = number.isMultiple(of: 2) ? One.self : Two.self
        group.addTask {
          let archive = BoxArchive.box("box \(number)", names.map { ($0, []) })
          let (store, _) = try SteeredConversion(
            [archive], model: HookModel.document, ImportExtensions(hooks: [hook])
          ).run()
          let things = try store.lines("SELECT name FROM Thing ORDER BY id")
          return (hook.mark, things, try store.lines("SELECT name FROM Label"))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(stores.count == 6)
    for (mark, things, labels) in stores {
      #expect(things == names.map { mark + $0 })
      #expect(labels == [mark])
    }
  }
}
