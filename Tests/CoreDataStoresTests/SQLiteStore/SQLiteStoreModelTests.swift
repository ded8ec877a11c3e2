import ArchiveReader
import ArchiveWriter
import DataModel
import Foundation
import GraphCore
import StoreFuzzing
import Support
import TestSupport
import Testing

@testable import CoreDataStores

@Suite("The model of an SQLite store")
struct SQLiteStoreModelTests {
  @Test("has to be given where the store carries none")
  func withoutModel() throws {
    let maker = try StoreMaker.sample()
    #expect(throws: ModelError(.missingCache, path: maker.path)) {
      try SQLiteStoreSource(path: maker.path, model: nil)
    }
  }

  @Test(
    "is an error where it is damaged, or too large",
    arguments: [Data("no deflate".utf8), Deflate.deflate(Data(count: 80 << 20)) ?? Data()])
  func damagedCache(content: Data) throws {
    let maker = try StoreMaker.sample()
    let digits = content.map { String(format: "%02x", $0) }.joined()
    try maker.edit("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(digits)';")
    let error = #expect(throws: ModelError.self) {
      try SQLiteStoreSource(path: maker.path, model: nil)
    }
    #expect(error?.code == .damagedCache)
  }

  @Test(
    "is not asked for where the metadata is no property list, which is said",
    arguments: [
      ("x''", "Z_PLIST is not a property list"), ("x'00'", "Z_PLIST is not a property list"),
      ("x'62706C6973743030'", "Z_PLIST is truncated"),
      ("CAST('<?xml version=\"1.0\"?><plist><dict>' AS BLOB)", "Z_PLIST is truncated"),
      ("'text'", "Z_PLIST holds no data"),
    ])
  func damagedMetadata(list: String, words: String) throws {
    let maker = try Self.storeWithModel("UPDATE Z_METADATA SET Z_PLIST = \(list);")
    #expect(throws: ModelError(.damagedMetadata, path: maker.path, name: words)) {
      try SQLiteStoreSource(path: maker.path)
    }
  }

  /// A store that carries its model, changed.
  private static func storeWithModel(_ change: String) throws -> StoreMaker {
    let maker = try StoreMaker()
    try maker.folder.write([], to: "store.sqlite")
    try SampleStore.make(at: maker.path)
    try maker.edit(change)
    return maker
  }

  @Test("is the one that it carries where it does not say which it was written by")
  func ownModelAlone() throws {
    let maker = try Self.storeWithModel("UPDATE Z_METADATA SET Z_PLIST = NULL;")
    let source = try SQLiteStoreSource(path: maker.path)
    #expect(source.notes == [StoreNote(.unknownModel)])
    #expect(source.objectCount == 5)
  }

  @Test("is the one that it carries where hashes follow rules that are not known")
  func otherHashesVersion() throws {
    let key = "NSStoreModelVersionHashesVersion"
    let list = """
      <?xml version="1.0"?><plist version="1.0"><dict>\
      <key>\(key)</key><integer>4</integer><key>NSStoreModelVersionHashes</key><dict>\
      <key>Note</key><data>AAEC</data><key>Tag</key><data>AAEC</data></dict></dict></plist>
      """
    let maker = try Self.storeWithModel("UPDATE Z_METADATA SET Z_PLIST = CAST('\(list)' AS BLOB);")
    let source = try SQLiteStoreSource(path: maker.path)
    #expect(source.notes == [StoreNote(.otherHashesVersion, name: "4")])
    #expect(source.objectCount == 5)
  }

  @Test("is an error where its entities inherit from each other")
  func cycle() throws {
    let model = KeyedArchiveBuilder.archive { archive in
      let (first, second) = (archive.reserve(), archive.reserve())
      for (slot, name, parent) in [(first, "A", second), (second, "B", first)] {
        archive.fill(
          slot, className: "NSEntityDescription",
          [
            KeyValue("NSEntityName", archive.string(name)),
            KeyValue("NSSuperentity", parent.reference),
          ])
      }
      let entities = archive.dictionary(["A": first.reference, "B": second.reference])
      return archive.instance(of: "NSManagedObjectModel", ["NSEntities": entities])
    }.binary()
    let digits = SampleStore.stored(model).map { String(format: "%02x", $0) }.joined()
    let maker = try StoreMaker.sample()
    try maker.edit("INSERT INTO Z_MODELCACHE VALUES (x'\(digits)');")
    try maker.edit("DELETE FROM Z_MODELCACHE WHERE Z_CONTENT IS NULL;")
    let error = #expect(throws: ModelError.self) { try SQLiteStoreSource(path: maker.path) }
    #expect(error?.code == .parentCycle)
  }

  @Test("is noted where a given one is another")
  func otherModel() throws {
    let maker = try StoreMaker.sample()
    var model = StoreMaker.model
    model.entities[3].attributes[0].isOptional = false
    #expect(try maker.open(model).notes == [StoreNote(.otherModel, name: "Tag")])
  }

  @Test("may be given where the metadata was taken out")
  func noMetadata() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE Z_METADATA SET Z_PLIST = NULL;")
    let source = try maker.open()
    #expect(source.notes == [StoreNote(.unknownModel)])
    #expect(source.version == 0 && source.metadata.versionHashes.isEmpty)
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
  }

  @Test("may be given where the metadata is of 2006: XML, and no hashes")
  func oldMetadata() throws {
    let maker = try StoreMaker.sample()
    let list = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>kMDItemTitle</key><string>x</string>\
      </dict></plist>
      """
    try maker.edit("UPDATE Z_METADATA SET Z_PLIST = CAST('\(list)' AS BLOB);")
    let source = try maker.open()
    #expect(source.metadata.versionHashes.isEmpty && source.version == 0)
    #expect(source.notes == [StoreNote(.unknownModel)])
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
  }
}
