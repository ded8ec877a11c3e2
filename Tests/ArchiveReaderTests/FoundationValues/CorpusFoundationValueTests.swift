import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite(
  "Foundation's classes in real archives",
  .enabled(if: Repository.corpus != nil, "there is no folder of real archives"))
struct CorpusFoundationValueTests {
  /// How many objects of a class became values.
  private struct Count: Equatable {
    var values = 0
    var nonconformingClasses = 0
  }

  /// The counts by class, over all entries of all archives.
  private static func counts() throws -> [String: Count] {
    var counts: [String: Count] = [:]
    for folder in ["keyed-binary", "keyed-xml"] {
      for file in Repository.corpusFiles(in: folder) {
        let archive = try KeyedArchive(contentsOf: file)
        let reader = archive.makeGraph(GraphOptions())
        for uid in 0..<archive.objectCount {
          switch try reader.value(ofObject: uid) {
          case .foundation(_, let id):
            counts[reader.classes[id.index].name, default: Count()].values += 1
          case .object(_, let id):
            let record = reader.classes[id.index]
            guard case .foundation = record.known else { continue }
            counts[record.name, default: Count()].nonconformingClasses += 1
          default: break
          }
        }
      }
    }
    return counts
  }

  @Test("are read as values, but for those that hold objects of other classes")
  func areValues() throws {
    let counts = try Self.counts()
    // Six links have pictures of a class of Messages.
    #expect(
      counts.filter { $0.value.nonconformingClasses > 0 } == [
        "LPLinkMetadata": Count(values: 2, nonconformingClasses: 6)
      ])
    #expect(counts.values.reduce(0) { $0 + $1.values } == 1036)
    #expect(counts["NSColor"]?.values == 336)
    #expect(counts["NSValue"]?.values == 80)
  }
}
