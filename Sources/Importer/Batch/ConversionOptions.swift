import ArchiveReader

/// How archives are converted.
public struct ConversionOptions: Sendable {
  /// What happens to an archive that cannot be read.
  public enum ErrorPolicy: String, Sendable, CaseIterable {
    /// The run ends, and nothing is written.
    case stop
    /// The archive is left out whole and reported.
    case skip
  }

  /// What happens if something is at the destination already.
  public enum ExistingStore: String, Sendable, CaseIterable {
    /// The run ends, and nothing is written.
    case fail
    /// The new store takes the place of the old file.
    case replace
  }

  /// What happens to an archive that cannot be read.
  ///
  /// Where nothing is set, a run over files stops, and one over a directory skips.
  public var errorPolicy: ErrorPolicy?
  /// What happens if something is at the destination already.
  public var existingStore = ExistingStore.fail
  /// A prefix of class names that entities do without.
  public var stripPrefix: String?
  /// Whether the store records which object each row was.
  public var recordsProvenance = false
  /// Whether to do everything but keep the store.
  public var isDryRun = false
  /// Files that the caller is going to write: they must be neither an input nor the store.
  public var furtherOutputs: [String] = []
  /// How far hostile files are followed.
  public var limits = ReadingLimits.standard

  /// Creates options with their defaults.
  public init() {}
}

/// Why a conversion could not be carried out.
public enum ConversionError: Error, Sendable {
  /// There is no archive among the inputs.
  case noArchive
  /// An input cannot be read.
  case unreadable(path: String, reason: String)
  /// An archive was rejected, and the run was to stop at the first.
  case rejected(path: String, ArchiveError)
  /// Every archive was rejected.
  case allRejected([(path: String, error: String)])
  /// The store cannot be written.
  case store(StoreError)
}

extension ConversionError: CustomStringConvertible {
  /// The error in words, one message for each file that is concerned.
  public var messages: [String] {
    switch self {
    case .noArchive: ["no keyed archive was found"]
    case .unreadable(let path, let reason): ["\(path): cannot be read: \(reason)"]
    case .rejected(let path, let error): ["\(path): \(error)"]
    case .allRejected(let errors): errors.map { "\($0.path): \($0.error)" }
    case .store(let error): ["\(error)"]
    }
  }

  /// All messages, a line each.
  public var description: String { messages.joined(separator: "\n") }
}
