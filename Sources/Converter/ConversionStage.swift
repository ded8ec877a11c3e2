/// The stage of a run, and so what it leaves on disk if it is stopped.
public enum ConversionStage: Sendable, Hashable {
  /// It reads; nothing is on disk, but for what an earlier run may have left.
  case reading
  /// It writes the unfinished store, one of `Conversion.unfinished`.
  ///
  /// `done` is nil unless the run was to go on with another; then it tells how many archives of
  /// that one are kept: 0 if there was nothing to go on with.
  case writing(done: Int?)
  /// So many archives are done, and are kept for a run that goes on, however this one ends.
  case checkpoint(archives: Int, of: Int)
  /// The store is complete and about to take its name.
  case publishing
}
