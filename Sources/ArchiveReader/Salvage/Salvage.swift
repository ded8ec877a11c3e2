extension KeyedArchive {
  /// The losses of a damaged archive of which the rest is read.
  ///
  /// Whatever leads to a lost entry leads to nil.
  public struct Salvage: Sendable {
    /// The errors in what could not be read: entries of `$objects`, keys of objects, or parts of
    /// the file itself.
    public internal(set) var losses: [ArchiveError] = []
    /// The entries of `$objects` that could not be read.
    package internal(set) var lostEntries: Set<Int> = []

    /// True if nothing was lost.
    public var isWhole: Bool { losses.isEmpty }
  }
}
