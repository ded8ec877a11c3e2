import ArchiveWriter
import Converter
import Synchronization
import TestSupport
import Testing

@Suite("The progress of a conversion")
struct ProgressTests {
  private final class Calls: Sendable {
    let list = Mutex<[ConversionProgress]>([])
  }

  @Test("goes through all archives twice, and ends with all objects", arguments: [1, 4])
  func phases(jobs: Int) throws {
    let calls = Calls()
    let archives = (0..<6).map { number in
      KeyedArchiveBuilder.archive { archive in
        archive.array(
          (0...number).map { archive.instance(of: "Note", ["rank": .integer(Int64($0))]) })
      }
    }
    let sizes = archives.map { $0.binary().count }
    _ = try ConvertedStore(archives) { options in
      options.jobs = jobs
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    var phases: [ConversionProgress.Phase] = []
    for progress in list where phases.last != progress.phase { phases.append(progress.phase) }
    #expect(phases == [.reading, .writing, .finishing])
    for phase in [ConversionProgress.Phase.reading, .writing] {
      let own = list.filter { $0.phase == phase }
      #expect(own.first?.archives == 0)
      #expect(zip(own, own.dropFirst()).allSatisfy { $0.archives <= $1.archives })
      let last = try #require(own.last)
      #expect(last.archives == 6)
      #expect(last.archiveCount == 6)
      #expect(last.objects == 1 + 2 + 3 + 4 + 5 + 6)
      #expect(last.bytes == sizes.reduce(0, +))
      #expect(last.byteCount == sizes.reduce(0, +))
    }
    let paths = Set(list.filter { $0.phase == .writing }.compactMap(\.path))
    #expect(paths.count == 6)
  }

  @Test("ends with the archives that the store is compared with")
  func verifying() throws {
    let calls = Calls()
    let archives = (0..<3).map { rank in
      KeyedArchiveBuilder.archive { $0.instance(of: "Note", ["rank": .integer(rank)]) }
    }
    _ = try ConvertedStore(archives) { options in
      options.verifies = true
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    let verifying = list.drop { $0.phase != .verifying }
    #expect(verifying.allSatisfy { $0.phase == .verifying })
    #expect(Set(verifying.compactMap(\.path)).count == 3)
  }

  @Test("is told within a large archive as well")
  func largeArchive() throws {
    let calls = Calls()
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array((0..<40_000).map { archive.instance(of: "Note", ["rank": .integer($0)]) })
    }
    _ = try ConvertedStore([archive]) { options in
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    for phase in [ConversionProgress.Phase.reading, .writing] {
      let objects = list.filter { $0.phase == phase && $0.archives == 0 }.map(\.objects)
      #expect(objects.contains { (1..<40_000).contains($0) })
      #expect(objects.last == 40_000)
    }
  }
}
