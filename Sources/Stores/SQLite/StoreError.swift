/// Why a store cannot be written or read.
public struct StoreError: Error, Hashable, Sendable {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable {
    /// Something is at the destination already.
    case exists
    /// The destination is one of the inputs, or a part of one: the reason is the path of that.
    case isInput
    /// Another output would take the place of the store.
    case isStore
    /// Another run is writing to the destination.
    case busy
    /// Another program has the store open, or has changed it meanwhile.
    case inUse
    /// The journal of another database is where the store's would be: the reason is its path.
    case journal
    /// A file operation failed.
    case file
    /// SQLite refused a statement.
    case database
    /// Rows cannot be added to the store, since it has another form than they need.
    case incompatible
    /// The store cannot be read.
    case unreadable
    /// Hooks or policies made the store, without which it cannot be compared.
    case needsConverter
    /// The store has no report, or not the one that is asked for.
    case noReport
    /// The store does not tell which object a row was.
    case noOrigin
    /// The layout of the store does not allow what was asked for.
    case unsupported
  }

  /// The kind of error.
  public var code: Code
  /// The path of the store.
  public var path: String
  /// The words of the operating system or of SQLite.
  ///
  /// They hold names, never values.
  public var reason: String

  /// True if the content of a database is damaged, not if it could not be read.
  package var isDamage = false
  /// The columns of a unique index in which a row has the values of another; nil if the error is
  /// something else.
  package var repeatedColumns: String?

  /// Creates an error.
  public init(_ code: Code, path: String, reason: String = "") {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension StoreError: CustomStringConvertible {
  /// The error in words, after the path.
  public var description: String {
    switch code {
    case .exists:
      "\(path): already exists (use --if-exists replace to overwrite it, append to add to it)"
    case .isInput where reason.isEmpty: "\(path): is an input and must not be overwritten"
    case .isInput:
      "\(path): belongs to \(reason), which is an input, and must not be written"
    case .isStore: "\(path): is the store itself and must not be overwritten"
    case .busy: "\(path): is being written by another run"
    case .inUse:
      "\(path): is open in another program, or was changed by one (close it there and try again)"
    case .journal:
      "\(reason): already exists, and SQLite would treat it as part of the new store (use "
        + "--if-exists replace to remove it)"
    case .file: "\(path): cannot be written: \(reason)"
    case .unsupported: "\(path): cannot be created: \(reason)"
    case .incompatible: "\(path): cannot append: \(reason)"
    case .unreadable: "\(path): cannot be read: \(reason)"
    case .noReport, .noOrigin: "\(path): \(reason)"
    case .needsConverter: "\(path): \(reason): verify it with the converter that made it"
    case .database: "\(path): the database cannot be written: \(reason)"
    }
  }
}
