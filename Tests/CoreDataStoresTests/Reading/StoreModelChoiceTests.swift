import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("The model of an XML store without version hashes")
struct StoreModelChoiceTests {
  /// Two versions: in the second, notes have stars.
  private static func versions() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var second = StoreModels.library.model
    for place in second.entities.indices where second.entities[place].name == "Note" {
      second.entities[place].attributes.append(Attribute(name: "stars", type: .integer16))
    }
    for (name, model) in [("First", StoreModels.library.model), ("Second", second)] {
      try XMLModelWriter(model).write(to: folder.file(named: "\(name).xcdatamodeld"))
    }
    return folder
  }

  private func open(_ objects: String, _ modelPath: String) throws(ArchiveError) -> XMLStoreSource?
  {
    var maker = XMLStoreMaker(objects)
    maker.model = nil
    let kind = CoreDataStoreKind(modelPaths: [modelPath])
    return try kind.open(maker.bytes, at: "notes.xml", limits: .standard, salvages: false)
      as? XMLStoreSource
  }

  /// What is said of a store that says as little of itself as those of the tests.
  private static let badIdentifier = StoreNote(.badIdentifier).description

  @Test("is the version that has all entities and properties of its objects")
  func properties() throws {
    let folder = try Self.versions()
    let source = try open(
      """
      <object type="NOTE" id="z1"><attribute name="stars" type="int16">3</attribute></object>
      """, folder.path)
    #expect(source?.objectCount == 1)
    #expect(
      source?.remarks == [
        "the store has no version hashes to compare: its model was chosen by the names of entities "
          + "and properties", Self.badIdentifier,
      ])
  }

  @Test("is not guessed where several versions have them")
  func several() throws {
    let folder = try Self.versions()
    let error = #expect(throws: ArchiveError.self) {
      try open(#"<object type="NOTE" id="z1"/>"#, folder.path)
    }
    #expect(error?.name?.contains("may be of several versions") == true)
    #expect(error?.name?.contains("'First' fits 1 of 1 entity; 'Second'") == true)
  }

  @Test("is none of those that lack a property, which are listed")
  func none() throws {
    let folder = try Self.versions()
    let error = #expect(throws: ArchiveError.self) {
      try open(
        """
        <object type="NOTE" id="z1"><attribute name="moons" type="int16">3</attribute></object>
        """, folder.path)
    }
    #expect(error?.name?.contains("'First' fits 0 of 1 entity (NOTE differs)") == true)
  }

  @Test("is the only one there is, and the report says that it was not compared")
  func single() throws {
    let folder = try Self.versions()
    let source = try open(
      #"<object type="NOTE" id="z1"/>"#, folder.file(named: "First.xcdatamodeld"))
    #expect(
      source?.remarks == [
        "the store does not say which model it was written by", Self.badIdentifier,
      ])
  }
}
