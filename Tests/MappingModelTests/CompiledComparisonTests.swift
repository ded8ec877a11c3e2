import DataModel
import Foundation
import Migration
import TestSupport
import Testing

@Suite(
  "A mapping model that Xcode compiled",
  .enabled(if: SharedMappings.folder != nil, "there is no folder of real mapping models"))
struct CompiledComparisonTests {
  @Test("is what its source compiles to, structure for structure")
  func golden() throws {
    let folder = try #require(SharedMappings.folder) + "/coredataplus-mapping"
    guard
      case .document(let document) = try MappingModelFile(
        contentsOf: "\(folder)/V2toV3.xcmappingmodel"),
      case .compiled(let expected) = try MappingModelFile(contentsOf: "\(folder)/V2toV3.cdm")
    else {
      Issue.record("the files are of other kinds")
      return
    }
    let source = try #require(try document.embeddedSourceModel())
    let destination = try #require(try document.embeddedDestinationModel())
    let compiled = document.compiled(from: source, to: destination)
    #expect(compiled.entityMappings.map(\.name) == expected.entityMappings.map(\.name))
    for (own, other) in zip(compiled.entityMappings, expected.entityMappings) {
      #expect(own == other)
    }
    let hashes = source.versionHashes()
    #expect(expected.sourceVersionHashes.allSatisfy { hashes[$0.key] == $0.value })
  }
}
