import ArchiveReader
import Support
import Synchronization

/// Lists in typedstreams: which positions are some is found out before any archive is converted.
extension Conversion {
  /// Looks at all typedstreams.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - evenOfOne: Whether a single one is looked at, too, which shows the same when it is read.
  mutating func beginPositions(_ inputs: [InputFinder.Input], evenOfOne: Bool = false) {
    // What a store remembers holds for its comparison.
    guard options.decidesRecords else { return }
    // Of many files that were named, some show whether there are typedstreams.
    let named = inputs.filter(\.isNamed)
    let sample = stride(from: 0, to: named.count, by: named.count / Self.sampleSize + 1)
    let probesNamed = sample.contains { Self.isTypedstream(named[$0]) }
    let streams = inputs.filter { input in
      input.isNamed ? probesNamed && Self.isTypedstream(input) : input.isTypedstream
    }
    guard streams.count > 1 || !streams.isEmpty && (evenOfOne || earlierTables.hasRuns) else {
      return
    }
    let parts = Mutex<[Int: PositionEvidence]>([:])
    let limits = options.limits
    WorkerThread.perform(iterations: (streams.count - 1) / Self.partSize + 1) { number in
      var evidence = PositionEvidence()
      for stream in streams[(number * Self.partSize)...].prefix(Self.partSize) {
        guard let bytes = try? ByteStorage(contentsOf: stream.path) else { continue }
        evidence.add(bytes.borrowed, limits: limits)
      }
      parts.withLock { $0[number] = evidence }
    }
    var evidence = PositionEvidence()
    let found = parts.withLock { $0.sorted { $0.key < $1.key } }
    for part in found { evidence.merge(part.value) }
    options.positions = evidence.rules(options.positions, earlier: earlierTables.positions)
  }

  private static let sampleSize = 64
  /// Threads look at this many streams at a time.
  private static let partSize = 64

  private static func isTypedstream(_ input: InputFinder.Input) -> Bool {
    let file = try? ByteStorage(contentsOf: input.path)
    return file.map { FileKind($0.head) == .typedStream } ?? false
  }
}
