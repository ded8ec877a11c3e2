import ArchiveReader
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("The laws of object graphs")
struct GraphLawTests {
  @Test("are kept by sources in memory")
  func memory() {
    #expect(checkGraph(MemorySources.notes(), after: MemorySources.otherNotes()) == [])
    #expect(checkGraph(MemorySources.otherNotes(), after: MemorySources.notes()) == [])
    let empty = MemorySource(classes: [], objects: [], roots: [:])
    #expect(checkGraph(empty) == [])
  }

  @Test("are kept by archives", arguments: Repository.sampleArchives)
  func samples(path: String) throws {
    let archive = try KeyedArchive(contentsOf: path)
    let other = try KeyedArchive(contentsOf: Repository.sampleArchives[0])
    #expect(checkGraph(archive, after: other) == [])
  }

  @Test("are kept by compiled nibs, sound and damaged", arguments: Repository.sampleArchives)
  func nibs(path: String) throws {
    let archive = try KeyedArchive(contentsOf: path)
    let bytes = NibWriter.nib(of: archive)
    #expect(checkGraph(try KeyedArchive(bytes: bytes), after: archive) == [])
    var mutator = ArchiveMutator(bytes, seed: 7)
    for _ in 0..<(Thoroughness.isWhole ? 20 : 6) {
      guard let damaged = try? KeyedArchive(bytes: mutator.next()) else { continue }
      #expect(checkGraph(damaged) == [])
    }
  }

  @Test(
    "are kept by real archives", .enabled(if: Repository.corpus != nil, "needs the corpus"),
    arguments: Repository.corpusFolders)
  func corpus(folder: String) throws {
    let name = folder.split(separator: "/").last.map(String.init) ?? ""
    for path in Repository.corpusFiles(in: name) {
      guard let archive = try? KeyedArchive(contentsOf: path), archive.byteCount < 40_000 else {
        continue
      }
      #expect(checkGraph(archive) == [], "\(path)")
    }
  }

  @Test("are kept by what is left of damaged archives", arguments: Repository.sampleArchives)
  func salvaged(path: String) throws {
    var mutator = ArchiveMutator(try Data(contentsOf: URL(fileURLWithPath: path)), seed: 7)
    for _ in 0..<(Thoroughness.isWhole ? 20 : 6) {
      guard let archive = try? KeyedArchive.salvage(bytes: mutator.next()) else { continue }
      #expect(checkGraph(archive) == [])
    }
  }

  @Test("are told apart: a graph that breaks one is found", arguments: GraphFault.Law.allCases)
  func broken(law: GraphFault.Law) {
    let source = FaultySource(MemorySources.notes(), breaking: law)
    let faults = checkGraph(source, after: FaultySource(MemorySources.notes(), breaking: law))
    #expect(faults.contains { $0.law == law }, "\(faults)")
  }
}
