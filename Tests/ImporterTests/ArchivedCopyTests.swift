import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("What is kept as an archive of its own")
struct ArchivedCopyTests {
  private func convert(
    _ archive: KeyedArchiveBuilder, _ yaml: String
  ) throws -> (store: ConvertedStore, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(Data(yaml.utf8), to: "m.yaml")
    return (try ConvertedStore(archive) { $0.mappingPath = mapping }, folder)
  }

  /// Boxes with an object, a text and a number under "x", which hold each other.
  private func boxes() -> KeyedArchiveBuilder {
    .archive { archive in
      let box = archive.reserve()
      let inner = archive.reserve()
      let list = archive.array([inner.reference, archive.string("text"), .none, 5])
      archive.fill(inner, className: "Inner", ["box": box.reference, "list": list, "n": 7])
      archive.fill(box, className: "Box", ["x": inner.reference])
      let text = archive.instance(of: "Box", ["x": archive.string("text")])
      let number = archive.instance(of: "Box", ["x": 12])
      let nothing = archive.instance(of: "Box", ["x": .none])
      return archive.array([box.reference, text, number, nothing])
    }
  }

  @Test("is an archive with everything that it reaches, cycles included")
  func whole() throws {
    let (store, folder) = try convert(
      boxes(), "entities:\n  Box:\n    attributes: {x: {convert: archive}}\n")
    let blobs = try store.store.rows("SELECT x FROM Box ORDER BY id").map { $0[0] }
    #expect(blobs.last == "NULL")
    var found: [String] = []
    for (number, blob) in blobs.dropLast().enumerated() {
      let path = try folder.write(Self.data(blob), to: "x\(number)")
      let inspection = try ArchiveInspection(
        try KeyedArchive(try PropertyList(contentsOf: path)))
      found.append(
        inspection.classes.map { "\($0.name) \($0.count)" }.sorted().joined(separator: ", "))
      // What was copied converts like any archive.
      let output = folder.file(named: "x\(number).sqlite")
      var conversion = Conversion(inputs: [path], destination: output, options: .pairs)
      _ = try conversion.run()
      let copy = try StoreQuery(output)
      #expect(try copy.flaws() == [])
      found.append(try copy.value("SELECT coalesce(entity, value) FROM _top"))
    }
    #expect(found == ["Box 1, Inner 1, NSArray 1", "Inner", "", "text", "", "12"])
  }

  @Test("is told of where other objects are reached by it alone")
  func unvisited() throws {
    let (store, _) = try convert(
      boxes(), "entities:\n  Box:\n    attributes: {x: {convert: archive}}\n")
    #expect(
      store.report.unvisitedObjects.map { "\($0.className) \($0.count)" } == ["Inner 1"])
    #expect(store.report.unreadKeys.isEmpty)
  }

  private static func data(_ literal: String) -> Data {
    let digits = Array(literal.dropFirst(2).dropLast())
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
      })
  }
}
