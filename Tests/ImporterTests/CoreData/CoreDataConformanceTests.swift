import DataModel
import Foundation
import Importer
import TestSupport
import Testing

@Suite(
  "Real Core Data models",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct CoreDataConformanceTests {
  /// Pairs whose source got another version identifier after the store was made; identifiers are
  /// not hashed, so all else fits.
  private static let otherIdentifiers: Set<String> = ["core-data-Moody-moody"]

  @Test("There are pairs to compare")
  func pairs() {
    #expect(CoreDataStorePair.all.count >= 24)
  }

  @Test("A model and its compiled form are equal", arguments: CoreDataStorePair.all)
  func sourceAndCompiled(_ pair: CoreDataStorePair) throws {
    guard let source = pair.xmlModel, let compiled = pair.compiledModel else { return }
    let compiledModel = try Model(contentsOf: compiled)
    #expect(!compiledModel.entities.isEmpty)
    var model = try Model(contentsOf: source).asCompiled(compiledModel)
    if Self.otherIdentifiers.contains(pair.name) {
      #expect(model.versionIdentifiers != compiledModel.versionIdentifiers)
      model.versionIdentifiers = compiledModel.versionIdentifiers
    }
    #expect(model == compiledModel)
  }

  @Test("Version hashes are those of the store", arguments: CoreDataStorePair.all)
  func versionHashes(_ pair: CoreDataStorePair) throws {
    let metadata = try pair.metadata()
    #expect(!metadata.hashes.isEmpty)
    for path in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      let model = try Model(contentsOf: path)
      #expect(model.versionHashes() == metadata.hashes, "\(path)")
      #expect(model.entitiesThatDiffer(from: metadata.hashes) == [])
      #expect(model.entitiesWithUncertainHash == [])
      if let digest = metadata.digest { #expect(model.digest() == digest, "\(path)") }
      if let checksum = metadata.checksum { #expect(model.checksum() == checksum, "\(path)") }
      let isOther = path == pair.xmlModel && Self.otherIdentifiers.contains(pair.name)
      #expect((model.versionIdentifiers == metadata.identifiers.sorted()) != isOther, "\(path)")
    }
  }

  @Test("Entities are numbered as in the store", arguments: CoreDataStorePair.all)
  func numbers(_ pair: CoreDataStorePair) throws {
    let metadata = try pair.metadata()
    for path in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      let numbered = try Model(contentsOf: path).numberedEntities
      let numbers = Dictionary(
        uniqueKeysWithValues: numbered.map { ($0.entity.name, $0.number) })
      let lines = numbered.map { entry in
        "\(entry.number)|\(entry.entity.name)|\(entry.entity.parent.flatMap { numbers[$0] } ?? 0)"
      }
      #expect(lines == metadata.numbers.filter { !$0.hasPrefix("16") }, "\(path)")
    }
  }
}

@Suite(
  "Other compiled models",
  .enabled(if: Repository.corpus != nil, "the corpus of real archives is absent"))
struct CoreDataCorpusTests {
  @Test("They can be read")
  func read() throws {
    let paths = Repository.corpusFiles(in: "keyed-binary").filter { $0.hasSuffix(".mom") }
    #expect(!paths.isEmpty)
    // One of them is of a model without entities.
    for path in paths {
      let model = try Model(contentsOf: path)
      #expect(model.versionIdentifiers == [""])
      #expect(model.versionHashes().count == model.entities.count)
    }
  }
}

extension Model {
  /// The model with the names of classes that a compiled one has: some compilers write that of the
  /// entity where there is none, others none where it is the entity's.
  func asCompiled(_ compiled: Model) -> Model {
    var model = self
    for entity in model.entities.indices {
      let found = compiled.entities.first { $0.name == model.entities[entity].name }
      model.entities[entity].className = found?.className
      model.entities[entity].classModule = found?.classModule
    }
    return model
  }
}
