import ArchiveReader
import CoreDataStores
import Migration

/// Why a conversion could not be carried out.
public enum ConversionError: Error, Sendable {
  /// There is no archive among the inputs.
  case noArchive(FruitlessSearch)
  /// An input cannot be read.
  case unreadable(path: String, reason: String)
  /// An archive was rejected, and the run was to stop at the first.
  case rejected(path: String, ArchiveError)
  /// Every archive was rejected.
  case allRejected([(path: String, error: String)])
  /// The store cannot be written.
  case store(StoreError)
  /// A run cannot go on with what another left, since something is not as it was then.
  case changed(path: String, [String])
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
  /// Rows cannot be exported.
  case unexportable(path: String, [String])
  /// The model cannot be read.
  case model(ModelError)
  /// No entity of the model is met by a class of the archives.
  case unmet(UnmetModel)
  /// The mapping cannot be used.
  case mapping(MappingError)
  /// Archives hold what breaks the rules of the model, or what could not be converted.
  case invalid([ValidationError], count: Int)
  /// A hook or policy ended the run.
  case hook(String, pass: String?)
}

extension ConversionError: CustomStringConvertible {
  /// The error in words, one message for each file that is concerned.
  public var messages: [String] {
    switch self {
    case .noArchive(let search): ["\(search)"]
    case .unreadable(let path, let reason): ["\(path): cannot be read: \(reason)"]
    case .rejected(let path, let error): ["\(path): \(error)"]
    case .allRejected(let errors): errors.map { "\($0.path): \($0.error)" }
    case .store(let error): ["\(error)"]
    case .changed(let path, let changes):
      changes.map { change in
        "\(path): cannot resume: \(change) has changed since the interrupted run"
      }
    case .unwritable(let path, let reason): ["\(path): \(reason)"]
    case .unexportable(let path, let reasons): reasons.map { "\(path): \($0)" }
    case .model(let error): ["\(error)"]
    case .unmet(let model): ["\(model)"]
    case .mapping(let error): "\(error)".split(separator: "\n").map(String.init)
    case .invalid(let errors, let count):
      ValidationError.messages(errors, count: count)
    case .hook(let reason, let pass):
      [(pass.map { "pass \($0): " } ?? "") + "a hook or policy stopped the run: \(reason)"]
    }
  }

  /// All messages, a line each.
  public var description: String { messages.joined(separator: "\n") }
}
