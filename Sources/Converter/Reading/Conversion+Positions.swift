import ArchiveReader
import Support
import Synchronization

/// Lists in typedstreams: which positions are some is found out before any archive is converted.
extension Conversion {
  /// Looks at all typedstreams.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - evenOfOne: Whether a single one is looked at however large it is, though it shows the same
  ///     when it is read.
  mutating func beginPositions(_ inputs: [InputFinder.Input], evenOfOne: Bool = false) {
    // What a store remembers holds for its comparison.
    guard options.decidesRecords else { return }
    let streams = inputs.filter { $0.isNamed ? Self.isTypedstream($0) : $0.isTypedstream }
    guard let first = streams.first else { return }
    if streams.count == 1, !evenOfOne, !earlierTables.hasRuns {
      let file = try? ByteStorage(contentsOf: first.path)
      guard let file, file.count <= Self.smallSize else { return }
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

  /// A single stream up to this size is looked at for those that are added later.
  private static let smallSize = 4 << 20
  /// Threads look at this many streams at a time.
  private static let partSize = 64

  private static func isTypedstream(_ input: InputFinder.Input) -> Bool {
    let file = try? ByteStorage(contentsOf: input.path)
    return file.map { FileKind($0.head) == .typedStream } ?? false
  }
}
