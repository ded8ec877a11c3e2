import ArchiveReader
import ArchiveWriter
import CoreDataStores
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("Archives in the values of SQLite stores")
struct SQLiteNestingTests {
  private static func archive(of text: String) -> Data {
    KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Font", ["name": archive.string(text)])
    }.binary()
  }

  private static func hex(_ data: Data) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let text = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "x'\(String(decoding: text, as: UTF8.self))'"
  }

  /// What is found in a store: the owner's entity and key with the name of the font in the value.
  private func fonts(in source: SQLiteStoreSource, most: Int = .max) throws -> [String] {
    let found = try NestedDataFinder.find(in: source, most: most)
    let reader = source.makeDataReader()
    return try found.map { data in
      let inner = try SourceOpener().open(data, reader).source
      let graph = inner.makeGraph(GraphOptions())
      let root = try #require(inner.roots.first)
      guard case .object(let uid, _) = try graph.value(of: root) else { return "none" }
      let object = try graph.object(uid)
      let position = try #require(graph.position(of: "name", in: object))
      guard case .text(let name) = try graph.value(of: object, at: position) else { return "none" }
      return "\(data.className ?? "") \(data.number ?? 0).\(data.key): "
        + "\(name.string.prefix(8)), \(data.byteCount == inner.byteCount)"
    }
  }

  @Test("are found in rows and in the files beside the store, of any size")
  func found() throws {
    let maker = try StoreMaker.sample()
    let small = Self.archive(of: "Geneva")
    // Beyond what is read of a value at once, and held in memory.
    let large = Self.archive(of: "Monaco" + String(repeating: "o", count: 3 << 20))
    try maker.edit(
      """
      UPDATE ZITEM SET ZEXTRA = \(Self.hex(small)), ZPHOTO = \(Self.hex(Data([1]) + small))
        WHERE Z_PK = 1;
      UPDATE ZITEM SET ZEXTRA = \(Self.hex(large)) WHERE Z_PK = 2;
      """)
    try maker.folder.write(small, to: ".store_SUPPORT/_EXTERNAL_DATA/\(StoreMaker.photoName)")
    let source = try maker.open()
    let expected = [
      "Note 1.extra: Geneva, true", "Note 1.photo: Geneva, true", "Note 2.extra: Monacooo, true",
      "Note 5.photo: Geneva, true",
    ]
    #expect(try fonts(in: source) == expected)
    #expect(try fonts(in: source, most: 2) == Array(expected.prefix(2)))
  }

  @Test("are errors where the value is not there any more")
  func gone() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET ZEXTRA = \(Self.hex(Self.archive(of: "Geneva")));")
    let source = try maker.open()
    let data = try #require(try NestedDataFinder.find(in: source).first)
    let reader = source.makeDataReader()
    for change in [{ $0.uid = nil }, { $0.uid = 99 }, { $0.key = "title" }, { $0.key = "none" }]
      as [(inout NestedData) -> Void]
    {
      var other = data
      change(&other)
      #expect(throws: ArchiveError.self) { try reader(other) }
    }
    // The store itself may have changed.
    try maker.edit("UPDATE ZITEM SET ZEXTRA = NULL;")
    #expect(throws: ArchiveError.self) { try source.makeDataReader()(data) }
  }
}
