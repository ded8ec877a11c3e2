import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("Which version of a model a store is of")
struct ModelMatchTests {
  /// A version with entities, each with one attribute of a type.
  private static func version(
    _ name: String, _ entities: KeyValuePairs<String, AttributeType>, isCurrent: Bool = false,
    hashes: [String: Data]? = nil
  ) -> ModelVersion {
    let entities = entities.map { name, type in
      Entity(
        name: name,
        attributes: [Attribute(name: "x", type: type, isDerived: type == .composite)])
    }
    var source = ModelSource(Model(entities: entities))
    source.versionHashes = hashes
    return ModelVersion(
      name: name, path: "/M.xcdatamodeld/\(name)", source: source, isCurrent: isCurrent)
  }

  private static let first = version("M", ["Folder": .string, "Note": .string])
  private static let second = version(
    "M 2", ["Folder": .string, "Note": .date, "Tag": .string], isCurrent: true)
  private static let third = version("M 3", ["Folder": .date, "Note": .date, "Tag": .string])

  private static func versions(_ versions: ModelVersion...) -> ModelVersions {
    ModelVersions(versions, path: "/M.xcdatamodeld")
  }

  /// The version that is found, with the notes, or the error.
  private func match(_ versions: ModelVersions, _ store: StoreEntities) -> [String] {
    do throws(ModelError) {
      let match = try versions.match(store, of: "store.sqlite")
      return ["\(match.version)"] + match.notes.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test("The version with the same hashes is the one")
  func hashes() {
    let versions = Self.versions(Self.first, Self.second, Self.third)
    for version in versions.versions {
      #expect(match(versions, .hashes(version.source.hashes())) == [version.description])
    }
  }

  @Test("Where none fits, the error tells how far each does, the nearest first")
  func none() {
    let versions = Self.versions(Self.first, Self.second, Self.third)
    var hashes = Self.second.source.hashes()
    hashes["Note"] = Data(repeating: 0, count: 32)
    #expect(
      match(versions, .hashes(hashes)) == [
        "store.sqlite: is of no version in M.xcdatamodeld: 'M 2' fits 2 of 3 entities "
          + "(Note differs); 'M' fits 1 of 3 entities (Note differs; Tag is missing); "
          + "'M 3' fits 1 of 3 entities (Folder, Note differ)"
      ])
    hashes = Self.first.source.hashes()
    #expect(
      match(Self.versions(Self.second), .hashes(hashes)) == [
        "store.sqlite: is of no version in M.xcdatamodeld: 'M 2' fits 1 of 2 entities "
          + "(Note differs; Tag is not in the store)"
      ])
  }

  @Test("Of equal versions the current one is taken, else the first, and the others are named")
  func ties() {
    var copy = Self.second
    (copy.name, copy.isCurrent) = ("Copy", false)
    let hashes = StoreEntities.hashes(Self.second.source.hashes())
    #expect(
      match(Self.versions(copy, Self.second), hashes)
        == ["'M 2'", "the same entities are in 'Copy'"])
    var other = Self.second
    other.isCurrent = false
    #expect(
      match(Self.versions(copy, other), hashes) == ["'Copy'", "the same entities are in 'M 2'"])
  }

  @Test("A version that is listed twice is not its own double; another of its name has its path")
  func doubles() {
    var other = Self.second
    let hashes = StoreEntities.hashes(Self.second.source.hashes())
    #expect(match(Self.versions(Self.second, other), hashes) == ["'M 2'"])
    other.path = "elsewhere/M 2.mom"
    #expect(
      match(Self.versions(Self.second, other), hashes)
        == ["'M 2'", "the same entities are in 'M 2' (elsewhere/M 2.mom)"])
  }

  @Test("Hashes that stand beside a version count, not those computed from it")
  func knownHashes() {
    let hash = Data(repeating: 9, count: 32)
    let version = Self.version("M", ["Note": .string], hashes: ["Note": hash])
    #expect(match(Self.versions(version), .hashes(["Note": hash])) == ["'M'"])
  }

  @Test("An entity whose hash cannot be computed for sure is no obstacle")
  func unchecked() {
    let version = Self.version("M", ["Folder": .string, "Note": .composite])
    var hashes = version.source.hashes()
    hashes["Note"] = Data(repeating: 1, count: 32)
    let note = "not compared, since they have derived or composite attributes: Note"
    #expect(match(Self.versions(version), .hashes(hashes)) == ["'M'", note])
    // One that is known to be the same is better.
    let exact = Self.version("M 2", ["Folder": .string, "Note": .composite], hashes: hashes)
    #expect(match(Self.versions(version, exact), .hashes(hashes)) == ["'M 2'"])
    // Of different ones that cannot be compared, neither is.
    var other = Self.version("M 3", ["Folder": .string, "Note": .composite])
    other.source.model.entities[1].attributes[0].isOptional = false
    #expect(
      match(Self.versions(version, other), .hashes(hashes)) == [
        "store.sqlite: may be of several versions in M.xcdatamodeld: 'M' fits 1 of 2 entities "
          + "(Note is not checked); 'M 3' fits 1 of 2 entities (Note is not checked)"
      ])
    // It has to be there.
    hashes["Note"] = nil
    #expect(
      match(Self.versions(version), .hashes(hashes)) == [
        "store.sqlite: is of no version in M.xcdatamodeld: 'M' fits 1 of 1 entity "
          + "(Note is not in the store)"
      ])
  }

  @Test("Without hashes the names of entities decide, and a note says so")
  func names() {
    let versions = Self.versions(Self.first, Self.second, Self.third)
    let note =
      "the store has no version hashes to compare: its model was chosen by the names of entities "
      + "alone"
    #expect(match(versions, .names(["Folder", "Note"], isComplete: true)) == ["'M'", note])
    #expect(match(versions, .names(["FOLDER", "NOTE"], isComplete: true)) == ["'M'", note])
    #expect(
      match(versions, .names(["TAG"], isComplete: false)) == [
        "store.sqlite: may be of several versions in M.xcdatamodeld: 'M 2' fits 1 of 1 entity; "
          + "'M 3' fits 1 of 1 entity"
      ])
    #expect(
      match(versions, .names(["Folder"], isComplete: true)) == [
        "store.sqlite: is of no version in M.xcdatamodeld: 'M' fits 1 of 1 entity "
          + "(Note is not in the store); 'M 2' fits 1 of 1 entity (Note, Tag are not in the store); "
          + "'M 3' fits 1 of 1 entity (Note, Tag are not in the store)"
      ])
  }

  @Test("Long lists are cut short, and say how much is left out")
  func longLists() throws {
    let many = (10..<30).map { Entity(name: "E\($0)") }
    let large = ModelSource(Model(entities: many))
    let versions = (10..<30).map { number in
      ModelVersion(name: "V\(number)", path: "", source: ModelSource(Model(entities: [many[0]])))
    }
    let words = match(
      ModelVersions(versions, path: "M.momd"), .hashes(large.hashes()))[0]
    #expect(words.hasSuffix("; 17 more fit no better"))
    #expect(
      words.contains("'V10' fits 1 of 20 entities (E11, E12, E13 and 16 more are missing)"))
  }

  @Test("The metadata tells by what a store can be matched")
  func metadata() {
    let hashes = ["A": Data(repeating: 1, count: 32)]
    var metadata = CoreDataMetadata(identifiers: [], versionHashes: hashes)
    #expect(StoreEntities(metadata, names: ["B"], isComplete: true) == .hashes(hashes))
    metadata.hashesVersion = 4
    #expect(
      StoreEntities(metadata, names: ["B"], isComplete: false) == .names(["A"], isComplete: true))
    metadata.versionHashes = [:]
    #expect(
      StoreEntities(metadata, names: ["B"], isComplete: false) == .names(["B"], isComplete: false))
  }
}
