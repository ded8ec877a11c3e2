import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("A run that compares its store")
struct VerifiedRunTests {
  @Test("passes over every sample archive", arguments: Repository.sampleArchives, [false, true])
  func samples(path: String, withProvenance: Bool) throws {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.verifies = true
    options.recordsProvenance = withProvenance
    var conversion = Conversion(
      inputs: [path], destination: folder.file(named: "out.db"), options: options)
    let result = try #require(try conversion.run().verification)
    #expect(result.differences == [])
    #expect(result.notCompared == [])
    #expect(result.valuesCompared > 0)
  }

  @Test(
    "passes over every archive of the corpus",
    .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"),
    arguments: Repository.corpusFiles(in: "keyed-binary") + Repository.corpusFiles(in: "keyed-xml"))
  func corpus(path: String) throws {
    let folder = try TemporaryFolder()
    var options = ConversionOptions()
    options.verifies = true
    options.recordsProvenance = true
    options.opensNested = true
    var conversion = Conversion(
      inputs: [path], destination: folder.file(named: "out.db"), options: options)
    let result = try #require(try conversion.run().verification)
    #expect(result.differences == [])
    #expect(result.notCompared == [])
  }
}
