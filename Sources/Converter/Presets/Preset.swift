/// A mapping that ships with the program, for databases that many people have.
public enum Preset: String, Sendable, CaseIterable {
  /// The database of Messages: `chat.db`, or `sms.db` in a backup.
  case messages

  /// The mapping file.
  public var mapping: String {
    switch self {
    case .messages: String(decoding: PackageResources.messages_yaml, as: UTF8.self)
    }
  }

  /// Writes the mapping file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - replacing: Whether a file that is there is replaced.
  /// - Throws: `ConversionError` if one is there already, or it cannot be written.
  public func write(to path: String, replacing: Bool) throws(ConversionError) {
    try InferredDraft.check(mapping: path, model: nil, replacing: replacing)
    try InferredDraft.write(mapping, to: path, replacing: replacing)
  }

  /// The name of the mapping in errors.
  var path: String { "preset \(rawValue)" }
}
