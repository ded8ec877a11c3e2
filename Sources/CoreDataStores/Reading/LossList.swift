import GraphCore

/// Losses of a store that is salvaged: the first of them, and their number.
struct LossList: Sendable {
  private(set) var losses: [ArchiveError] = []
  /// The number of losses, listed or not.
  private(set) var count = 0

  /// The greatest number of losses that are listed: damage can be in every value.
  static let maxCount = 10_000

  mutating func append(_ error: ArchiveError) {
    count += 1
    if losses.count < Self.maxCount { losses.append(error) }
  }

  /// Adds the losses of another list.
  mutating func append(_ other: LossList) {
    for loss in other.losses { append(loss) }
    count += other.count - other.losses.count
  }
}
