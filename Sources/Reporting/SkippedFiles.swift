import Support

/// The files of directories that hold no keyed archive: how many of each kind, and which.
public struct SkippedFiles: Sendable, Hashable {
  /// The first of each kind.
  public private(set) var listed: [SkippedFile] = []
  private var counts: [SkippedFile.Kind: Int] = [:]
  private var listedCounts: [SkippedFile.Kind: Int] = [:]
  /// The others, where they are kept.
  private(set) var unlisted: UnlistedEntries

  /// The most files of each kind that are listed.
  static let maxListed = 1_000

  package init(_ spill: EntrySpill? = nil) { unlisted = UnlistedEntries(spill) }

  /// Files that were listed before, and how many there were.
  init(listed: [SkippedFile], counts: [SkippedFile.Kind: Int]) {
    (self.listed, self.counts) = (listed, counts)
    for file in listed { listedCounts[file.kind, default: 0] += 1 }
    unlisted = UnlistedEntries()
  }

  /// Adds a file.
  package mutating func add(_ file: SkippedFile) {
    counts[file.kind] = [counts[file.kind] ?? 0, 1].boundedSum
    guard listedCounts[file.kind, default: 0] < Self.maxListed else {
      unlisted.add(.skippedFiles, ConversionReport.Archive(file))
      return
    }
    listed.append(file)
    listedCounts[file.kind, default: 0] += 1
  }

  /// Leaves the list away, which stands somewhere else.
  mutating func forgetList() { listed = [] }

  /// The number of files in all.
  public var count: Int { Array(counts.values).boundedSum }

  /// The number of files that are not listed.
  public var leftOut: Int { max(0, count - Array(listedCounts.values).boundedSum) }

  /// The number of files of each kind, those that hold objects first.
  public var kinds: [(kind: SkippedFile.Kind, count: Int)] {
    SkippedFile.Kind.allCases.compactMap { kind in
      counts[kind].flatMap { $0 > 0 ? (kind, $0) : nil }
    }
  }

  /// The number of files of each kind, in words: "3 typedstreams, 12 property lists, 7 other
  /// files".
  package var words: String { Self.words(kinds) }

  /// The same for those that hold objects alone, or for the others.
  func words(holdingObjects: Bool) -> String {
    Self.words(kinds.filter { $0.kind.holdsObjects == holdingObjects })
  }

  private static func words(_ kinds: [(kind: SkippedFile.Kind, count: Int)]) -> String {
    // There are no others where nothing stands before them.
    guard kinds.contains(where: { $0.kind != .other }) else {
      return kinds.first.map { Words.count($0.count, "file") } ?? ""
    }
    return kinds.map { kind, count in
      Words.count(count, kind.words.one, plural: kind.words.many)
    }.joined(separator: ", ")
  }
}
