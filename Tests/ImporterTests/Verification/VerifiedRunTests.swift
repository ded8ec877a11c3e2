import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("A run that compares its store")
struct VerifiedRunTests {
  /// Converts archives, with a comparison; the result.
  private func verify(
    _ inputs: [String], in folder: TemporaryFolder, _ change: (inout ConversionOptions) -> Void
  ) throws -> VerificationResult {
    var options = ConversionOptions()
    options.verifies = true
    change(&options)
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "out.db"), options: options)
    return try #require(try conversion.run().verification)
  }

  @Test("passes over every sample archive", arguments: Repository.sampleArchives, [false, true])
  func samples(path: String, withProvenance: Bool) throws {
    let result = try verify([path], in: TemporaryFolder()) {
      $0.recordsProvenance = withProvenance
    }
    #expect(result.differences == [])
    #expect(result.notCompared == [])
    #expect(result.valuesCompared > 0)
  }

  @Test(
    "passes over the sample mappings",
    arguments: ["Expenses", "QuickRecord", "Events", "Locations"])
  func mappings(name: String) throws {
    let result = try verify(["\(Repository.samples)/\(name).archive"], in: TemporaryFolder()) {
      $0.mappingPath = "\(Repository.samples)/\(name).yaml"
      $0.recordsProvenance = true
    }
    #expect(result.differences == [])
    #expect(result.notCompared == [])
  }

  @Test(
    "passes over every archive of the corpus",
    .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"),
    arguments: Thoroughness.some(
      Repository.corpusFiles(in: "keyed-binary") + Repository.corpusFiles(in: "keyed-xml"),
      oneIn: 4))
  func corpus(path: String) throws {
    let result = try verify([path], in: TemporaryFolder()) {
      $0.recordsProvenance = true
      $0.opensNested = true
    }
    #expect(result.differences == [])
    #expect(result.notCompared == [])
  }

  @Test(
    "passes over what is left of damaged archives",
    .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"))
  func salvaged() throws {
    let inputs = Repository.corpusFiles(in: "hostile")
    let result = try verify(inputs, in: TemporaryFolder()) {
      $0.salvages = true
      $0.errorPolicy = .skip
    }
    #expect(result.differences == [])
    #expect(result.notCompared == [])
    #expect(result.valuesCompared > 0)
  }

  @Test("leaves out of the comparison what has another value each time, and says so")
  func unknownValues() throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.of("Note") { archive in
      ["title": archive.string("a"), "body": archive.array([archive.string("b")])]
    }
    let path = try folder.write(archive.binary(), to: "a.plist")
    let mapping = """
      entities:
        Note:
          attributes:
            seen: {expression: now()}
            body: {convert: archive}
      """
    let result = try verify([path], in: folder) {
      $0.mappingPath = try? folder.write(mapping, to: "mapping.yaml")
    }
    #expect(result.differences == [])
    #expect(
      result.notCompared.map { "\($0.entity).\($0.property): \($0.count)" }.sorted()
        == ["Note.body: 1", "Note.seen: 1"])
  }

  @Test("keeps no store that differs, and leaves the old one as it was")
  func keepsNothing() throws {
    let folder = try TemporaryFolder()
    let old = try folder.write("old", to: "out.db")
    var options = ConversionOptions()
    options.verifies = true
    options.existingStore = .replace
    var conversion = Conversion(
      inputs: ["\(Repository.samples)/MentalCase.archive"], destination: old, options: options)
    conversion.willVerify = { path in
      try? StoreEditor(path).run("UPDATE MTNote SET title = 'another' WHERE id = 3")
    }
    let report = try conversion.run()
    #expect(report.verification?.isPassed == false)
    #expect(report.verification?.differences.map(\.row) == [3])
    #expect(report.verification?.differences.map(\.property) == ["title"])
    #expect(report.verification?.differences.map(\.found) == ["'another'"])
    #expect(report.storeBytes == nil)
    #expect(try folder.names() == ["out.db"])
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
  }
}
