/// A value or a row that breaks a rule of the model.
public struct ImportBrokenRule: Sendable, Hashable, Codable {
  /// The kind of error.
  public var code: ValidationError.Code
  /// The path of the archive; nil where rows of several are concerned.
  public var archive: String?
  /// The archived object.
  public var uid: Int?
  /// Its class.
  public var className: String?
  /// The archived key that held the value.
  public var key: String?
  /// The entity.
  public var entity: String?
  /// The row, where the object is not known.
  public var row: Int64?
  /// The attribute or relationship.
  public var property: String?
  /// The kind of value, in words.
  public var kind: String?
  /// The error in words, with its place, but without the path of the archive.
  public var message: String
  /// The number of errors that differ from it in nothing but the object, itself included: told of
  /// the first of them.
  public var times: Int?

  package init(_ error: ValidationError) {
    code = error.code
    (archive, uid, className, key) = (error.archive, error.uid, error.className, error.key)
    (entity, row, property) = (error.entity, error.row, error.property)
    kind = error.kind
    message = "\(error)"
    times = error.times > 1 ? error.times : nil
  }

  private enum CodingKeys: String, CodingKey {
    case code, archive, uid, key, entity, row, property, kind, message, times
    case className = "class"
  }
}
