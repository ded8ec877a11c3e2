import ArchiveWriter
import Foundation
import MappingModelTesting
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("Models in the form of Xcode 3")
struct XDPMModelTests {
  private func model(_ bytes: Data) throws -> Model {
    let folder = try TemporaryFolder()
    return try Model(
      contentsOf: folder.write(bytes, to: "Library.xcdatamodel/elements"))
  }

  /// What the reader says of the library with other settings, without the path.
  private func words(
    _ overrides: XDPMArchive.Overrides, parents: [String: String] = [:]
  ) throws -> String? {
    let library = try XMLModel.model(XMLModel.library)
    let archive = XDPMArchive.make(library, overrides: overrides, parents: parents)
    var error = #expect(throws: ModelError.self) { try model(archive.binary()) }
    error?.path = ""
    return error?.description
  }

  @Test("A model is equal to its twin in XML, with the same hashes", arguments: ["1.0", "", nil])
  func twin(identifier: String?) throws {
    let library = try XMLModel.model(XMLModel.library, identifier: identifier)
    let archive = XDPMArchive.make(library)
    #expect(try model(archive.binary()) == library)
    #expect(try model(archive.xml()) == library)
    #expect(try model(archive.binary()).versionHashes() == library.versionHashes())
    #expect(library.notes == [])
    #expect(
      library.entities.map { $0.fetchIndexes.map(\.name) } == [["isNew", "rank_isbn"], [], []])
  }

  @Test("The folder, the file and a folder of versions lead to it")
  func paths() throws {
    let folder = try TemporaryFolder()
    let library = try XMLModel.model(XMLModel.library)
    let bytes = XDPMArchive.make(library).binary()
    let file = try folder.write(bytes, to: "M.xcdatamodeld/M.xcdatamodel/elements")
    for path in [file, "M.xcdatamodeld/M.xcdatamodel", "M.xcdatamodeld"] {
      let path = path.hasPrefix("/") ? path : folder.file(named: path)
      #expect(try Model(contentsOf: path) == library)
    }
    let source = try ModelSource(contentsOf: file)
    #expect(source.compiledModel == nil)
    #expect(source.versionHashes == nil)
  }

  @Test("Counts that are missing are those of the kind of relationship")
  func counts() throws {
    let library = try XMLModel.model(XMLModel.library)
    let archive = XDPMArchive.make(
      library,
      overrides: [
        "Book.pages.XD_PRK_maxCount": nil, "Book.pages.XD_PRK_minCount": nil,
        "Book.next.XD_PRK_maxCount": nil, "Page.book.XD_PRK_deleteRule": nil,
      ])
    let model = try model(archive.binary())
    let relationships = model.entities.flatMap(\.relationships)
    #expect(relationships.map(\.name) == ["next", "pages", "book"])
    #expect(relationships.map(\.maximumCount) == [1, 0, 1])
    #expect(relationships.map(\.minimumCount) == [0, 0, 0])
    #expect(relationships.map(\.deleteRule) == [.noAction, .cascade, .nullify])
  }

  @Test(
    "Default values and limits in other words are read as Xcode reads them, with a note",
    arguments: [
      (
        "rank.XD_PAttK_defaultValueAsString", "NO",
        "Book.rank: the default value is not of the type "
          + "integer16: read as Xcode does"
      ),
      (
        "price.XD_PAttK_minValueString", "0,5",
        "Book.price: a limit of the values is not a number: "
          + "read as Xcode does"
      ),
    ])
  func notes(_ key: String, _ text: String, _ note: String) throws {
    let library = try XMLModel.model(XMLModel.library)
    let archive = XDPMArchive.make(library, overrides: ["Book.\(key)": .string(text)])
    let model = try model(archive.binary())
    #expect(model.notes.map(\.description) == [note])
    #expect(model.versionHashes() == library.versionHashes())
    let book = try #require(model.entities.first)
    #expect(book.attributes.first { $0.name == "price" }?.minimum == (key.hasPrefix("p") ? 0 : 0.5))
  }

  @Test(
    "A wrong declaration is an error that names the entity and the property",
    arguments: [
      ("Book.rank.XD_PAttK_attributeType", 123, "Book.rank: unknown attribute type 123"),
      ("Book.pages.XD_PRK_deleteRule", 9, "Book.pages: unknown delete rule 9"),
      ("Book.pages.XD_PRK_maxCount", .integer(1 << 40), "Book.pages: invalid value of maxCount"),
      ("Book.pages.XD_PRK_minCount", -2, "Book.pages: invalid value of minCount"),
      ("Book.pages.XD_PRK_destination", nil, "Book.pages: the relationship has no destination"),
      ("Book.pages.XD_PRK_destination", 7, "Book.pages: the relationship has no destination"),
    ] as [(String, PropertyListValue?, String)])
  func declarations(_ key: String, _ value: PropertyListValue?, _ words: String) throws {
    #expect(try self.words([key: value]) == words)
  }

  @Test("Entities that inherit from themselves are refused")
  func cycles() throws {
    #expect(
      try words([:], parents: ["Thing": "Book"]) == "Book: the entity inherits from itself")
    #expect(try words([:], parents: ["Page": "Page"]) == "Page: the entity inherits from itself")
  }

  @Test(
    "An archive of something else is no model",
    arguments: [
      ("NSMappingModel", "contains no model"),
      ("Note", "is not a Core Data model: its root is not an NSManagedObjectModel"),
      ("XDPMModel", "is not a Core Data model: it has no root package"),
    ])
  func otherArchives(_ className: String, _ words: String) throws {
    let archive = KeyedArchiveBuilder.archive { $0.instance(of: className, ["a": 1]) }
    var error = #expect(throws: ModelError.self) { try model(archive.binary()) }
    error?.path = ""
    #expect(error?.description == words)
  }

  @Test("A damaged model is read, or refused", arguments: [1, 2, 3] as [UInt64])
  func damage(seed: UInt64) throws {
    let library = try XMLModel.model(XMLModel.library)
    let bytes = XDPMArchive.make(library).binary()
    var mutator = ArchiveMutator(bytes, seed: seed)
    let folder = try TemporaryFolder()
    var (read, refused) = (0, 0)
    for _ in 0..<MutationCount.perFile(usual: 200) {
      let path = try folder.write(mutator.next(), to: "elements")
      do throws(ModelError) {
        _ = try Model(contentsOf: path).versionHashes()
        read += 1
      } catch {
        refused += 1
      }
    }
    #expect(read > 3)
    #expect(refused > 5)
  }

  @Test("A model that is cut off anywhere is refused")
  func truncation() throws {
    let bytes = XDPMArchive.make(try XMLModel.model(XMLModel.library)).binary()
    let folder = try TemporaryFolder()
    for count in stride(from: 1, to: bytes.count, by: bytes.count / 50) {
      let path = try folder.write(bytes.prefix(count), to: "elements")
      #expect(throws: ModelError.self) { try Model(contentsOf: path) }
    }
  }
}
