import GraphCore

/// What is lost of a store that is salvaged: the first losses, and whether there are more.
struct LossList: Sendable {
  private(set) var losses: [ArchiveError] = []

  /// How many losses are listed: damage can be in every value.
  static let maxCount = 10_000

  /// Whether no more are listed, so that nothing needs to look for them.
  var isFull: Bool { losses.count > Self.maxCount }

  mutating func append(_ error: ArchiveError) {
    if losses.count < Self.maxCount {
      losses.append(error)
    } else if !isFull {
      losses.append(
        ArchiveError(.unreadable, name: "more than the first \(Self.maxCount) losses"))
    }
  }
}
