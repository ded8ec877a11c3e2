import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("Real archives that are damaged")
struct CorpusMutationTests {
  @Test(
    "end in a result or an error, whatever the damage",
    arguments: ["keyed-binary", "keyed-xml"].flatMap { Repository.corpusFiles(in: $0) })
  func neverCrash(file: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var mutator = ArchiveMutator(bytes, seed: UInt64(bytes.count))
    var (sound, damaged) = (0, 0)
    let count = MutationCount.perFile(usual: 40)
    for _ in 0..<count {
      let walk = ArchiveWalk(mutator.next())
      if walk.values > 0 { sound += 1 }
      if !walk.errors.isEmpty { damaged += 1 }
    }
    // Each does the one, the other, or both.
    #expect(sound + damaged >= count)
    #expect(damaged > 0)
  }

  @Test("end in a result or an error, for the samples of the project")
  func neverCrashForSamples() throws {
    for file in Repository.sampleArchives {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      var mutator = ArchiveMutator(bytes, seed: 1)
      let count = MutationCount.perFile(usual: 40)
      let walks = (0..<count).map { _ in ArchiveWalk(mutator.next()) }
      #expect(walks.allSatisfy { $0.values > 0 || !$0.errors.isEmpty })
      #expect(walks.contains { !$0.errors.isEmpty })
    }
  }

  @Test("are damaged the same way each time")
  func areDamagedAlike() {
    let bytes = Array(BinaryPropertyListTests.sound)
    var (one, other) = (ArchiveMutator(bytes, seed: 3), ArchiveMutator(bytes, seed: 3))
    let mutations = (0..<50).map { _ in one.next() }
    #expect(mutations == (0..<50).map { _ in other.next() })
    #expect(Set(mutations).count > 30)
  }
}
