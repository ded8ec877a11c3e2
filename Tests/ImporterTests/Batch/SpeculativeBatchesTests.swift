import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Importer

@Suite("Rows of many archives that are written while they are read")
struct SpeculativeBatchesTests {
  /// Whether a conversion began early, and what it ended in.
  private struct Run: Equatable {
    var outcome: SmallArchives.Outcome?
    var messages: [String] = []
    /// Whether the archives were read once, and rows were written then.
    var isEarly: Bool
  }

  /// Converts a folder; a speculative import goes by so many archives.
  private func run(
    _ folder: TemporaryFolder, sampling count: Int?, _ change: (inout ConversionOptions) -> Void
  ) throws -> Run {
    var options = ConversionOptions()
    options.jobs = 2
    options.errorPolicy = .skip
    change(&options)
    options.speculation.files = count == nil ? .max : 2
    options.speculation.sampledFiles = count ?? 0
    let phases = Mutex<[ConversionProgress.Phase]>([])
    options.onProgress = { progress in
      phases.withLock { if $0.last != progress.phase { $0.append(progress.phase) } }
    }
    var run = Run(isEarly: false)
    do {
      run.outcome = try SmallArchives.convert(folder, options)
    } catch let error as ConversionError {
      run.messages = error.messages
    }
    run.isEarly = phases.withLock { $0 == [.writing, .finishing] }
    return run
  }

  /// Compares conversions that begin early with one that does not.
  private func expectSameOutcome(
    _ folder: TemporaryFolder, early: [Int: Bool],
    _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws {
    let late = try run(folder, sampling: nil, change)
    #expect(!late.isEarly)
    for (count, isEarly) in early.sorted(by: { $0.key < $1.key }) {
      for jobs in Thoroughness.some([3, 1], oneIn: 2) {
        let early = try run(folder, sampling: count) { options in
          change(&options)
          options.jobs = jobs
          // With some samples, progress is kept after each group.
          guard count < 64 else { return }
          options.speculation.unkeptBytes = 0
          options.checkpointInterval = .nanoseconds(1)
        }
        #expect(try folder.names().allSatisfy { !$0.hasSuffix(".convert-partial") })
        #expect(early.isEarly == isEarly, "by \(count) archives, with \(jobs) jobs")
        #expect(early.messages == late.messages)
        #expect(early.outcome == late.outcome, "by \(count) archives, with \(jobs) jobs")
      }
    }
  }

  @Test("are those that are written after the profile")
  func areTheSame() throws {
    let folder = try SmallArchives.folder(withLarge: false)
    try expectSameOutcome(folder, early: [64: true, 30: true, 1: true])
    try expectSameOutcome(folder, early: [64: true]) { $0.recordsProvenance = true }
  }

  @Test("are those that a mapping makes, which is not followed early")
  func mapped() throws {
    let folder = try SmallArchives.folder(withLarge: false)
    let mapping = try folder.draftMapping(of: folder.file(named: "in"), withModel: true)
    try expectSameOutcome(folder, early: [64: false]) { $0.mappingPath = mapping }
  }

  @Test("come with those of files that are too large to be in a group, if these are few")
  func largeFiles() throws {
    let folder = try SmallArchives.folder()
    try expectSameOutcome(folder, early: [64: false])
    for number in 0..<12 {
      let archive = KeyedArchiveBuilder.archive { archive in
        archive.instance(
          of: "Folder",
          ["space": .data(Data(repeating: UInt8(number), count: 1 << 20 - 1_000))])
      }
      try folder.write(archive.binary(), to: "in/filler \(number)")
    }
    try expectSameOutcome(folder, early: [64: true])
  }

  @Test("are not begun where many files are no sound archives, or the same")
  func brokenGroups() throws {
    let folder = try SmallArchives.folder(withLarge: false)
    let copies = 40
    for number in 0..<copies {
      let text = try Data(contentsOf: URL(fileURLWithPath: folder.file(named: "in/105.plist")))
      try folder.write([UInt8](text), to: "in/copy \(number)")
    }
    try expectSameOutcome(folder, early: [64: false])
    for number in 0..<copies {
      try FileManager.default.removeItem(atPath: folder.file(named: "in/copy \(number)"))
      try folder.write("bplist00 damaged \(number)", to: "in/damaged \(number)")
      let list = "<plist version=\"1.0\"><integer>\(number)</integer></plist>"
      try folder.write(list, to: "in/list \(number)")
    }
    try expectSameOutcome(folder, early: [64: true])
    try expectSameOutcome(folder, early: [64: false]) { $0.errorPolicy = .stop }
  }

  /// What one archive among many holds.
  enum Surprise: CaseIterable {
    case otherKind, otherKey, missingKey, otherClass, otherOwner, value, cycle, damage, none

    func root(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
      let name = archive.string("x")
      let box = archive.reserve()
      var things = [archive.instance(of: "Thing", ["name": name, "box": box.reference])]
      switch self {
      case .otherKind:
        things = [archive.instance(of: "Thing", ["name": 7, "box": box.reference])]
      case .otherKey:
        things = [
          archive.instance(of: "Thing", ["name": name, "box": box.reference, "size": 1])
        ]
      case .missingKey: things = [archive.instance(of: "Thing", ["box": box.reference])]
      case .otherClass: things = [archive.instance(of: "Toy", ["name": name])]
      case .otherOwner:
        let other = archive.instance(of: "Box", ["things": archive.array([])])
        things = [archive.instance(of: "Thing", ["name": name, "box": other])]
      case .value: things.append(name)
      case .cycle: things.append(box.reference)
      case .damage: things.append(.uid(1_000))
      case .none: break
      }
      return archive.fill(box, className: "Box", ["things": archive.array(things)])
    }
  }

  @Test(
    "are written anew where an archive is other than was predicted",
    arguments: Surprise.allCases, Thoroughness.some([60, 3, 117], oneIn: 3))
  func surprise(surprise: Surprise, place: Int) throws {
    let folder = try TemporaryFolder()
    for number in 0..<120 {
      let archive = KeyedArchiveBuilder.archive { archive in
        let box = archive.reserve()
        let things = (0...number % 3).map { thing in
          let name = archive.string("thing \(number) \(thing)")
          return archive.instance(of: "Thing", ["name": name, "box": box.reference])
        }
        return number == place
          ? surprise.root(&archive)
          : archive.fill(box, className: "Box", ["things": archive.array(things)])
      }
      try folder.write(archive.binary(), to: "in/\(1_000 + number)")
    }
    // What an archive taught is known when it is begun anew.
    try expectSameOutcome(folder, early: [2: true])
    // Only damage makes a difference.
    guard Thoroughness.isWhole || surprise == .damage else { return }
    try expectSameOutcome(folder, early: [2: surprise != .damage]) { $0.errorPolicy = .stop }
  }

  @Test("may grow in each archive as they may in one by itself")
  func budget() throws {
    let archive = try KeyedArchive(bytes: SmallArchives.archive(1).binary())
    var limits = ReadingLimits.standard
    limits.expansion = 1
    var taker = SchemaProfiler(observing: archive, limits)
    try taker.budget.spend(elements: 100_000)
    #expect(throws: ArchiveError.self) { try taker.budget.spend(elements: 100_000) }
    taker.reset(to: archive)
    try taker.budget.spend(elements: 100_000)
  }

  @Test(
    "are the same for folders of real archives",
    arguments: [Repository.samples] + Thoroughness.some(Repository.corpusFolders, oneIn: 3))
  func corpus(path: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(named: "in"), withDestinationPath: path)
    let late = try run(folder, sampling: nil) { _ in }
    for count in [1_000, 10, 1] {
      let early = try run(folder, sampling: count) { _ in }
      #expect(early.outcome == late.outcome)
      #expect(early.messages == late.messages)
    }
  }
}
