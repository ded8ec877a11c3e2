import ArchiveReader
import ArchiveWriter
import CoreDataStores
import Foundation
import GraphCore
import Testing

@Suite("Archives in the values of XML and binary stores")
struct NestedArchiveTests {
  private static let archive = KeyedArchiveBuilder.archive { archive in
    archive.instance(of: "Font", ["name": archive.string("Geneva")])
  }.binary()

  /// The classes of the archives that are found in a store, by where they are.
  private func classes(in source: any CoreDataSource) throws -> [String: [String]] {
    var classes: [String: [String]] = [:]
    for data in try NestedDataFinder.find(in: source) {
      let nested = try SourceOpener().open(data, in: source).source
      classes["\(data.uid ?? -1).\(data.key)"] = try nested.inspect(limits: .standard).classes
        .map(\.name)
    }
    return classes
  }

  @Test("are found in XML, among values of any size")
  func xml() throws {
    // So large that the values need several blocks of memory.
    let notes = (1...40).map { number in
      let data = number % 10 == 0 ? Self.archive : Data(repeating: 7, count: 3_000 * number)
      return """
        <object type="NOTE" id="z\(number)">
          <attribute name="body" type="binary">\(data.base64EncodedString())</attribute>
        </object>
        """
    }
    let maker = XMLStoreMaker(notes.joined(separator: "\n"))
    let source = try XMLStoreSource(maker.bytes, model: StoreModels.library)
    #expect(
      try classes(in: source) == [
        "9.body": ["Font"], "19.body": ["Font"], "29.body": ["Font"], "39.body": ["Font"],
      ])
  }

  @Test("are found in the binary form")
  func binary() throws {
    var maker = BinaryStoreMaker()
    var values = Array(repeating: PropertyListValue.null, count: 12)
    values[4] = maker.archive.mutableData(Self.archive)
    values[10] = maker.archive.array([.data(Self.archive), .data(Data([1, 2, 3]))])
    maker.nodes = [
      BinaryStoreMaker.Node(key: 5, entity: "Note", values: values, relationships: 2)
    ]
    let source = try BinaryStoreSource(maker.storage, model: StoreModels.library)
    #expect(try classes(in: source) == ["0.body": ["Font"], "0.style": ["Font"]])
  }
}
