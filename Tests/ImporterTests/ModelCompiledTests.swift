import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("Compiled models")
struct ModelCompiledTests {
  private func model(_ bytes: Data) throws -> Model {
    let folder = try TemporaryFolder()
    return try Model(contentsOf: try folder.write(bytes, to: "M.mom"))
  }

  private func error(_ archive: KeyedArchiveBuilder) -> ModelError? {
    #expect(throws: ModelError.self) { try model(archive.binary()) }
  }

  @Test("A compiled model is equal to its source")
  func twin() throws {
    let compiled = try CompiledModel.library()
    let source = try ModelXML.model(CompiledModel.libraryXML)
    #expect(try model(compiled.binary()) == source)
    #expect(try model(compiled.xml()) == source)
    #expect(source.entities.map(\.name) == ["Book", "Page", "Thing"])
    #expect(source.entitiesWithUncertainHash == ["Book"])
  }

  @Test("A compiled model needs no name that says so")
  func nameless() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(CompiledModel.empty(entity: "A").binary(), to: "modelcache")
    #expect(try Model(contentsOf: path) == Model(entities: [Entity(name: "A")]))
  }

  @Test(
    "Counts and kinds of relationships",
    arguments: [(0, true), (-1, true), (1, false), (2, true), (nil, true)] as [(Int?, Bool)])
  func counts(maximum: Int?, isToMany: Bool) throws {
    let count = maximum.map { [KeyValue("NSMaxCount", .integer(Int64($0)))] } ?? []
    let archive = CompiledModel.property("NSRelationshipDescription", count)
    let relationship = try model(archive.binary()).entities.first?.relationships.first
    #expect(relationship?.maximumCount == maximum ?? 0)
    #expect(relationship?.isToMany == isToMany)
    #expect(relationship?.deleteRule == .noAction)
    #expect(relationship?.destinations == ["A"])
  }

  @Test(
    "Bits tell what keys do not",
    arguments: [(0xF1, false, false), (0xF3, true, false), (8, false, true), (10, true, true)])
  func bits(bits: Int, isOptional: Bool, isTransient: Bool) throws {
    let archive = CompiledModel.property(
      "NSAttributeDescription",
      [KeyValue("_P", .integer(Int64(bits))), KeyValue("NSAttributeType", 2000)])
    let attribute = try model(archive.binary()).entities.first?.attributes.first
    #expect(
      attribute
        == Attribute(
          name: "x", type: .objectID, isOptional: isOptional, isTransient: isTransient))
  }

  @Test(
    "A wrong description is told with its entity and property",
    arguments: [
      ("NSAttributeDescription", "NSAttributeType", 750, .unknownAttributeType),
      ("NSRelationshipDescription", "NSDeleteRule", 4, .unknownDeleteRule),
      ("NSRelationshipDescription", "NSMaxCount", 1 << 40, .badValue),
      ("NSRelationshipDescription", "NSMinCount", -2, .badValue),
    ] as [(String, String, Int64, ModelError.Code)])
  func properties(className: String, key: String, value: Int64, code: ModelError.Code) {
    let error = error(CompiledModel.property(className, [KeyValue(key, .integer(value))]))
    #expect(error?.code == code)
    #expect(error?.entity == "A")
    #expect(error?.property == "x")
    #expect(error?.path.hasSuffix("M.mom") == true)
  }

  @Test("An archive of something else is no model")
  func otherArchives() {
    #expect(error(.archive { $0.array([]) })?.code == .notAModel)
    #expect(error(.archive { $0.instance(of: "Note") })?.code == .notAModel)
    #expect(error(KeyedArchiveBuilder())?.code == .notAModel)
    let own = CompiledModel.property(
      "NSAttributeDescription", [], entity: [KeyValue("NSSuperentity", .uid(1))])
    #expect(error(own)?.code == .parentCycle)
    let dangling = CompiledModel.property(
      "NSAttributeDescription", [KeyValue("NSDefaultValue", .uid(9999))])
    #expect(error(dangling)?.code == .damagedArchive)
  }

  @Test("A small file cannot ask for a large model")
  func sharing() {
    let archive = KeyedArchiveBuilder.archive { archive in
      let names = (0..<2000).map { archive.string("p\($0)") }
      let property = archive.instance(of: "NSAttributeDescription")
      let properties = archive.dictionary(
        keys: names, values: names.map { _ in property }, className: "NSMutableDictionary")
      let entities = (0..<2000).map { number in
        archive.instance(
          of: "NSEntityDescription",
          ["NSEntityName": archive.string("E\(number)"), "NSProperties": properties])
      }
      let keys = archive.array(entities.indices.map { archive.string("E\($0)") })
      let mapping = archive.instance(of: "NSKnownKeysMappingStrategy1", ["keys": keys])
      let dictionary = archive.instance(
        of: "NSKnownKeysDictionary1",
        ["searchMapping": mapping, "values": archive.array(entities)])
      return archive.instance(of: "NSManagedObjectModel", ["NSEntities": dictionary])
    }
    #expect(error(archive)?.code == .tooMany)
  }

  @Test("No damage to a file makes more of it than an error")
  func mutations() throws {
    let sound = try CompiledModel.library().binary()
    var generator = SeededGenerator(seed: 7)
    var survivors = 0
    for _ in 0..<2000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
          UInt8.random(in: .min ... .max, using: &generator)
      }
      let folder = try TemporaryFolder()
      let path = try folder.write(bytes, to: "M.mom")
      do throws(ModelError) {
        let model = try Model(contentsOf: path)
        #expect(model.versionHashes().count == model.entities.count)
        #expect(model.numberedEntities.count == model.entities.count)
        survivors += 1
      } catch {
        #expect(!error.path.isEmpty)
      }
    }
    #expect(survivors > 100)
  }
}
