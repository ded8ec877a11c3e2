import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite(
  "Real archives", .enabled(if: Repository.corpus != nil, "there is no folder of real archives"))
struct CorpusInspectionTests {
  /// What an independent reader has counted in a file.
  private struct Counts: Decodable, Equatable {
    var format: String
    var archiver: String
    var version: Int64
    var objects: Int
    var reachable: Int
    var references: Int
    var isCyclic: Bool
    var instances: [String: Int]

    enum CodingKeys: String, CodingKey {
      case format, archiver, version, reachable, instances
      case objects = "objects_total"
      case references = "edges"
      case isCyclic = "cyclic"
    }

    init(_ archive: KeyedArchive) throws {
      let inspection = try ArchiveInspection(archive)
      format = archive.propertyList.format.rawValue
      archiver = archive.archiver
      version = archive.version
      objects = inspection.objects
      reachable = inspection.reachable
      references = inspection.references
      isCyclic = inspection.isCyclic
      instances = Dictionary(
        uniqueKeysWithValues: inspection.classes.map { ($0.name, $0.count) })
    }
  }

  /// The counts by file name; files that are no archives have others.
  private struct Oracle: Decodable {
    var counts: Counts?

    init(from decoder: any Decoder) throws {
      counts = try? Counts(from: decoder)
    }
  }

  @Test(
    "are inspected as an independent reader does, without an object that fits no form",
    arguments: ["keyed-binary", "keyed-xml"])
  func agreesWithTheOracle(folder: String) throws {
    let path = try #require(Repository.corpus) + "/oracle.json"
    let oracle = try JSONDecoder().decode(
      [String: Oracle].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let files = Repository.corpusFiles(in: folder)
    #expect(!files.isEmpty)
    for file in files {
      let name = URL(fileURLWithPath: file).lastPathComponent
      let archive = try KeyedArchive(contentsOf: file)
      let expected = try #require(oracle[name]?.counts, "\(name)")
      #expect(try Counts(archive) == expected, "\(name)")
      #expect(try ArchiveInspection(archive).danglingReferences == [], "\(name)")
    }
  }

  /// Kept among the damaged ones, but sound to this reader.
  private static let accepted: Set = [
    // By an archiver of another name; of version 18; with another key than "root".
    "dpaulus-wrong-archiver.xml", "dpaulus-wrong-version.xml", "kiler129-missingroot-bin.plist",
    "kiler129-missingroot-xml.plist",
    // Compiled nibs.
    "nib-mobilapp-objects-11-0.nib", "nib-mobilapp-runtime.nib",
  ]

  @Test("that are damaged, or are none, end in an error", arguments: ["hostile", "not-archives"])
  func refusesOthers(folder: String) throws {
    for file in Repository.corpusFiles(in: folder) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      let walk = ArchiveWalk(bytes)
      let name = URL(fileURLWithPath: file).lastPathComponent
      #expect(walk.errors.isEmpty == Self.accepted.contains(name), Comment(rawValue: name))
    }
  }
}
