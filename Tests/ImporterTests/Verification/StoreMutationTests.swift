import ArchiveWriter
import Converter
import Importer
import TestSupport
import Testing

@Suite("A verification notices")
struct StoreMutationTests {
  /// The stores that are changed.
  enum Base: String, CaseIterable {
    case manyKinds, manyKindsWithProvenance, notes, notesByIdentity, placesWithTags
  }

  private static let changesInRun = 20

  @Test(
    "each of many random changes of finished stores, and names the place",
    arguments: Base.allCases, Thoroughness.some(Array(0..<5), oneIn: 5))
  func changes(base: Base, run: Int) throws {
    var generator = SeededGenerator(seed: UInt64(run))
    let subject = try Subject(base)
    let untouched = try subject.verify(subject.store)
    #expect(untouched.differences == [])
    #expect(untouched.notCompared == [])
    let store = try StoreQuery(subject.store)
    var made = 0
    for _ in 0..<Self.changesInRun * 50 where made < Self.changesInRun {
      guard let mutation = try StoreMutation(of: store, using: &generator) else { continue }
      // A unique index may forbid it.
      guard
        let copy = try? StoreEditor.copy(
          of: subject.store, in: subject.folder, changedBy: mutation.sql)
      else { continue }
      made += 1
      let result = try subject.verify(copy)
      let isNoticed = result.differences.contains { difference in
        difference.entity == mutation.entity
          && (mutation.rows.isEmpty
            || mutation.rows.contains(difference.row.map(String.init) ?? ""))
          && difference.property.hasPrefix(mutation.property)
      }
      #expect(isNoticed, "\(mutation.sql): \(result.differences)")
    }
    #expect(made == Self.changesInRun)
  }

  @Test("nothing in ranges of rows that stand in another order, as a former version wrote them")
  func order() throws {
    let subject = try Subject(.notes)
    let editor = try StoreEditor(subject.store)
    try editor.run("UPDATE _rows SET rowid = -rowid")
    editor.close()
    #expect(try StoreQuery(subject.store).lines("SELECT count(*) > 1 FROM _rows") == ["1"])
    #expect(try subject.verify(subject.store).differences == [])
  }

  /// A finished store and its archives.
  private struct Subject {
    let folder: TemporaryFolder
    let inputs: [String]
    var store: String { folder.file(named: "out.db") }

    init(_ base: Base) throws {
      folder = try TemporaryFolder()
      var options = ConversionOptions()
      switch base {
      case .manyKinds, .manyKindsWithProvenance:
        options.recordsProvenance = base == .manyKindsWithProvenance
        var paths: [String] = []
        for number in 0..<2 {
          let bytes = KeyedArchiveBuilder.ofManyKinds(number).binary()
          paths.append(try folder.write(bytes, to: "a\(number).plist"))
        }
        inputs = paths
      case .notes:
        inputs = ["\(Repository.samples)/MentalCase.archive"]
      case .notesByIdentity:
        inputs = [
          "\(Repository.samples)/MentalCase.archive", "\(Repository.samples)/MentalCase.xml",
        ]
        let mapping = """
          stripPrefix: MT
          entities:
            Folder: {identity: uniqueId}
            Note: {identity: uniqueId}
          """
        options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
      case .placesWithTags:
        inputs = ["\(Repository.samples)/Locations.archive"]
        let mapping = """
          classes: {Event: Place}
          entities:
            Place:
              attributes:
                north: {from: latitude, convert: {decimal: {scale: 2}}}
              relationships:
                tags: {split: ",", into: Tag, by: name, inverse: places}
          """
        options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
      }
      var conversion = Conversion(
        inputs: inputs, destination: folder.file(named: "out.db"), options: options)
      _ = try conversion.run()
    }

    /// Compares a store; the result is the same if that begins before the profile is complete.
    func verify(_ path: String) throws -> VerificationResult {
      var results: [VerificationResult] = []
      let samples = Thoroughness.some([(Int.max, 0), (0, 1 << 14), (0, 1)], oneIn: 2)
      for (bytes, size) in samples {
        var options = ConversionOptions()
        options.jobs = 2
        options.speculation.bytes = bytes
        options.speculation.sample.objects = size
        var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
        results.append(try #require(try verifier.run().verification))
      }
      #expect(results.allSatisfy { $0 == results[0] })
      return results[0]
    }
  }
}
