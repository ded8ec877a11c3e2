/// A value of which something was lost.
public struct ImportLoss: Sendable, Hashable, Codable {
  /// The path of the archive.
  public var archive: String
  /// The object that held the value; nil for a top-level key.
  public var uid: Int?
  /// Its class.
  public var className: String
  /// The archived key.
  public var key: String
  /// The value before, with what cannot be written as text spelled out.
  public var before: String
  /// The value after.
  public var after: String
  /// The loss, in words.
  public var reason: String

  private enum CodingKeys: String, CodingKey {
    case archive, uid, key, before, after, reason
    case className = "class"
  }
}

extension ImportLoss {
  /// The class and the key, as far as they are known: "Note.text".
  package var location: String { [className, key].filter { !$0.isEmpty }.joined(separator: ".") }
}

extension ImportLoss {
  init(_ location: ImportFindings.Location, before: String, after: String, _ reason: String) {
    self.init(
      archive: location.archive ?? "", uid: location.uid, className: location.className ?? "",
      key: location.key ?? "", before: before, after: after, reason: reason)
  }
}
