/// Archives that become nothing but plain rows, small ones, whose turns one thread prepares together.
///
/// Which rows they are given is known beforehand, so several threads prepare several groups at the
/// same time.
struct TurnGroup: Sendable {
  var turns: ArraySlice<Conversion.Turn>
  /// The last rows before them, if the first reading has counted as the second will.
  var lastRows: LastRows
  /// Whether they are prepared at all: the rows of a large archive would take too much memory.
  var isPrepared: Bool

  /// Files of more bytes are not prepared.
  private static let largestFile = 1 << 20
  /// How many bytes the archives of a group have at most.
  private static let mostBytes = 3 << 18
  /// How many archives a group has at most.
  private static let mostArchives = 256

  /// Puts archives into groups; those of one file stay together.
  ///
  /// - Parameters:
  ///   - turns: The archives.
  ///   - last: The last rows before them.
  ///   - tables: For each class of the census, the table of its rows; -1 where it has none.
  ///   - options: Whether what is done is kept at once.
  /// - Returns: The groups.
  static func groups(
    of turns: ArraySlice<Conversion.Turn>, after last: LastRows, _ tables: [Int],
    _ options: ConversionOptions
  ) -> [TurnGroup] {
    let total = turns.reduce(0) { $0 + $1.bytes }
    // Several for each thread, so that none is done long before the others. Their number does not
    // depend on that of the threads, nor does the order in which a store's pages are written.
    let enough = min(mostBytes, total / 64)
    let mostArchives = options.checkpointInterval == .zero ? 1 : mostArchives
    var groups: [TurnGroup] = []
    var last = last
    var bytes = 0
    var start = turns.startIndex
    while start < turns.endIndex {
      let end = (turns[start...].firstIndex { $0.isLastOfFile } ?? turns.endIndex - 1) + 1
      let file = turns[start..<end]
      let size = file.reduce(0) { $0 + $1.bytes }
      if let open = groups.last, open.isPrepared, size <= largestFile, bytes < enough,
        open.turns.count < mostArchives
      {
        groups[groups.count - 1].turns = turns[open.turns.startIndex..<end]
        bytes += size
      } else {
        groups.append(TurnGroup(turns: file, lastRows: last, isPrepared: size <= largestFile))
        bytes = size
      }
      for turn in file { turn.archive.objects.add(to: &last, tables) }
      start = end
    }
    return groups
  }
}

extension Conversion.Turn {
  /// How many bytes the archive has.
  fileprivate var bytes: Int { archive.entry.bytes ?? 0 }
}
