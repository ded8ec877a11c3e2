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
    #expect(steps(list).map(\.phase) == [.reading, .writing, .finishing, .verifying, .checking])
    let verifying = list.filter { $0.phase == .verifying }
    #expect(Set(verifying.compactMap(\.path)).count == 3)
    let last = try #require(verifying.last)
    #expect(last.archives == 3)
    #expect(last.bytes == archives.map { $0.binary().count }.reduce(0, +))
    #expect(last.bytes == last.byteCount)
  }

  @Test("is told while a store is verified later, from the first look at the files on")
  func verifyingLater() throws {
    let folder = try TemporaryFolder()
    let files = try (0..<3).map { rank in
      let archive = KeyedArchiveBuilder.archive { archive in
        archive.array(
          (0...rank).map { archive.instance(of: "Note", ["rank": .integer(Int64($0))]) })
      }
      return try folder.write(archive.binary(), to: "a\(rank)")
    }
    let store = folder.file(named: "out.db")
    var conversion = Conversion(inputs: files, destination: store, options: ConversionOptions())
    _ = try conversion.run()
    let calls = Calls()
    var options = ConversionOptions()
    options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    var verifier = StoreVerifier(store: store, inputs: files, options: options)
    #expect(try verifier.run().verification?.isPassed == true)
    let list = calls.list.withLock(\.self)
    var phases: [ConversionProgress.Phase] = []
    for progress in list where phases.last != progress.phase { phases.append(progress.phase) }
    #expect(phases == [.identifying, .reading, .verifying, .checking])
    expectSteady(list)
  }

  /// A stretch of progress that is shown under one name.
  private struct Step: Hashable {
    var phase: ConversionProgress.Phase
    var reason: ConversionProgress.Reason?
    var attempt: Int
  }

  /// The names under which progress was shown, one after the other.
  private func steps(_ list: [ConversionProgress]) -> [Step] {
    var steps: [Step] = []
    for progress in list {
      let step = Step(phase: progress.phase, reason: progress.reason, attempt: progress.attempt)
      if steps.last != step { steps.append(step) }
    }
    return steps
  }

  /// Expects each step to begin with nothing and to end with all, never to go back, and never to
  /// come again under the same name.
  private func expectSteady(_ list: [ConversionProgress], throughEnd: Bool = true) {
    let steps = steps(list)
    #expect(Set(steps).count == steps.count, "\(steps)")
    for step in steps {
      let own = list.filter {
        $0.byteCount > 0
          && Step(phase: $0.phase, reason: $0.reason, attempt: $0.attempt) == step
      }
      #expect(own.first?.bytes ?? 0 == 0)
      #expect(zip(own, own.dropFirst()).allSatisfy { $0.bytes <= $1.bytes }, "\(step)")
      #expect(own.allSatisfy { $0.bytes <= $0.byteCount }, "\(step)")
      guard throughEnd else { continue }
      #expect(own.last.map { $0.bytes == $0.byteCount } != false, "\(step)")
    }
  }

  /// How the objects of a large archive hang together.
  enum Shape {
    /// One array holds all.
    case flat
    /// Each has values of its own.
    case valued
    /// Some have many of the others.
    case folders
    /// Each leads to the next.
    case chain
  }

  private static func large(_ shape: Shape, _ count: Int64) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      switch shape {
      case .flat:
        return archive.array(
          (0..<count).map { archive.instance(of: "Note", ["rank": .integer($0)]) })
      case .valued:
        return archive.array(
          (0..<count).map { rank in
            archive.instance(
              of: "Note",
              [
                "title": archive.string("title \(rank)"), "text": archive.string("text \(rank)"),
              ])
          })
      case .folders:
        return archive.array(
          (0..<count / 500).map { _ in
            let notes = (0..<499).map { rank in
              archive.instance(of: "Note", ["title": archive.string("note \(rank)")])
            }
            return archive.instance(of: "Folder", ["notes": archive.array(notes)])
          })
      case .chain:
        return (1..<count).reduce(archive.instance(of: "Note", ["rank": .integer(0)])) {
          next, rank in
          archive.instance(of: "Note", ["next": next, "rank": .integer(rank)])
        }
      }
    }
  }

  @Test(
    "is told within a large archive as well, in proportion to its objects",
    arguments: [
      // A chain is none that a sample predicts.
      (.flat, false), (.flat, true), (.valued, false), (.valued, true), (.folders, false),
      (.folders, true), (.chain, false),
    ] as [(Shape, Bool)])
  func largeArchive(shape: Shape, isObserved: Bool) throws {
    let calls = Calls()
    let archive = Self.large(shape, 40_000)
    _ = try ConvertedStore([archive]) { options in
      options.speculation.bytes = isObserved ? 0 : .max
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    #expect(
      steps(list).map(\.phase)
        == (isObserved ? [.writing, .finishing] : [.reading, .writing, .finishing]))
    for phase in [ConversionProgress.Phase.reading, .writing] where !isObserved || phase == .writing
    {
      let own = list.filter { $0.phase == phase && $0.archives == 0 }
      #expect(own.count { (1..<40_000).contains($0.objects) } == 2)
      for progress in own {
        let expected = Double(progress.objects) / 40_000
        let share = Double(progress.bytes) / Double(progress.byteCount)
        #expect(abs(share - expected) < 0.03, "\(phase) after \(progress.objects) objects")
      }
      #expect(own.last?.objects == 40_000)
    }
    expectSteady(list)
  }

  @Test("is told while a large archive is compared", arguments: [1, 3])
  func largeVerification(jobs: Int) throws {
    let calls = Calls()
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array((0..<70_000).map { archive.instance(of: "Note", ["rank": .integer($0)]) })
    }
    _ = try ConvertedStore([archive]) { options in
      options.jobs = jobs
      options.verifies = true
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    let shares = list.filter { $0.phase == .verifying && $0.byteCount > 0 }
      .map { Double($0.bytes) / Double($0.byteCount) }
    // The objects first, and then their rows.
    #expect(shares.contains { (0.01...0.19).contains($0) })
    #expect(shares.contains { abs($0 - 0.2) < 0.001 })
    #expect(shares.contains { (0.3...0.99).contains($0) })
    expectSteady(list)
  }

  @Test("says that dictionaries proved to be records, where archives are read again for that")
  func records() throws {
    let calls = Calls()
    let archive = KeyedArchiveBuilder.archive { archive in
      let names = [archive.string("name"), archive.string("rank")]
      return archive.array(
        (0..<40).map { rank in
          let values = [archive.string("x\(rank)"), PropertyListValue.integer(Int64(rank))]
          return archive.dictionary(keys: names, values: values)
        })
    }
    _ = try ConvertedStore([archive]) { options in
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    let reasons = list.map(\.reason)
    #expect(list.filter { $0.phase == .reading }.map(\.reason).last == .records)
    #expect(list.filter { $0.phase == .writing }.allSatisfy { $0.reason == nil })
    #expect(reasons.first == .some(nil))
  }

  @Test(
    "says that a prediction failed, where everything is begun again for that", arguments: [1, 2])
  func wrongPrediction(jobs: Int) throws {
    let calls = Calls()
    let archives = (0..<8).map { number in
      KeyedArchiveBuilder.archive { archive in
        archive.instance(
          of: "Note", number == 3 ? ["other": archive.string("x")] : ["rank": .integer(7)])
      }
    }
    _ = try ConvertedStore(archives) { options in
      options.jobs = jobs
      (options.speculation.files, options.speculation.sampledFiles) = (2, 1)
      options.onProgress = { progress in calls.list.withLock { $0.append(progress) } }
    }
    let list = calls.list.withLock(\.self)
    #expect(steps(list).first == Step(phase: .writing, reason: nil, attempt: 1))
    let later = steps(list).filter { $0.phase != .finishing }.dropFirst()
    #expect(!later.isEmpty)
    #expect(later.allSatisfy { $0.reason == .prediction && $0.attempt > 1 }, "\(later)")
    expectSteady(list, throughEnd: false)
  }
}
