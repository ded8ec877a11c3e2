/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
  /// A phase of a conversion.
  public enum Phase: String, Sendable, CaseIterable {
    /// It reads the archives for the first time.
    case reading
    /// It writes their rows.
    case writing
    /// It checks rules, builds indexes and syncs the store.
    case finishing
    /// It compares the store with the archives.
    case verifying
    /// It checks what no archive by itself tells: the store as a whole, and copies of it.
    case checking
    /// It completes a store in the layout of Core Data.
    case copying
    /// It finds out which files are the archives of a store.
    case identifying
  }

  /// Why a phase is gone through more than once.
  public enum Reason: Sendable, Hashable {
    /// A prediction from a part of the archives that does not hold for all of them.
    case prediction
    /// Dictionaries are records, as is known once all archives were read.
    case records
    /// Archives are left out that are damaged, or break a rule.
    case rejection
    /// A pass of a mapping, of several.
    case pass(Int, of: Int)
    /// A run that wrote to the store, of several.
    case run(Int, of: Int)

    /// True if it is the reason, too, for a phase that begins after it.
    func applies(to phase: Phase) -> Bool {
      switch self {
      case .prediction, .rejection: phase == .reading || phase == .writing
      case .records: phase == .reading
      case .pass: phase == .writing
      case .run: true
      }
    }

    /// True if everything is begun again for it.
    var isRestart: Bool { self == .prediction || self == .rejection }
  }

  /// The current phase.
  public var phase: Phase
  /// The number of archives this phase is through with, those that were rejected included.
  public var archives: Int
  /// The number of archives, as far as is known.
  public var archiveCount: Int
  /// The number of objects this phase is through with.
  public var objects: Int
  /// The number of bytes of archives this phase is through with, as far as is known within an
  /// archive.
  public var bytes: Int
  /// The size of all archives, in bytes.
  public var byteCount: Int
  /// The path of the archive that is being worked on; nil if there is none.
  public var path: String?
  /// Why the phase is gone through again; nil if it is not.
  public var reason: Reason?
  /// The number of the attempt at the conversion, from 1 on.
  public var attempt = 1

  /// The progress before anything is known.
  package static let none = ConversionProgress(
    phase: .reading, archives: 0, archiveCount: 0, objects: 0, bytes: 0, byteCount: 0)
}
