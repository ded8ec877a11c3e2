/// How far a conversion has come.
public struct ConversionProgress: Sendable, Hashable {
  /// What a conversion is doing.
  public enum Phase: String, Sendable, CaseIterable {
    /// It reads the archives for the first time.
    case reading
    /// It writes their rows.
    case writing
    /// It checks rules, builds indexes and syncs the store.
    case finishing
    /// It compares the store with the archives.
    case verifying
  }

  /// What it is doing.
  public var phase: Phase
  /// How many archives this phase is through with, those that were rejected included.
  public var archives: Int
  /// How many archives there are, as far as is known.
  public var archiveCount: Int
  /// How many objects this phase is through with.
  public var objects: Int
  /// How many bytes of archives this phase is through with.
  public var bytes: Int
  /// How many bytes all archives have.
  public var byteCount: Int
  /// The path of the archive that is being worked on; nil if there is none.
  public var path: String?
}
