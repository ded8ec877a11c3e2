/// Something that the archives hold and that the layout of the store has no place for.
public struct LayoutOmission: Sendable, Hashable, Codable {
  /// The kind of an omission.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A value.
    case value
    /// A link between two rows.
    case link
    /// The place of a row in a collection that no object holds; the row is in the store.
    case order
    /// Rows that are alike in what the model says is unique, so that no index keeps it; the rows are
    /// in the store.
    case index
  }

  /// The kind of the omission.
  public var kind: Kind
  /// The entity; "top level" for what only top-level keys hold.
  public var entity: String
  /// The property, or the top-level key.
  public var property: String
  /// Why it is not there.
  public var reason: String
  /// The number of such omissions.
  public var count: Int

  package init(kind: Kind, entity: String, property: String, reason: String, count: Int) {
    (self.kind, self.entity, self.property) = (kind, entity, property)
    (self.reason, self.count) = (reason, count)
  }

  /// Rows that are alike in what the model says is unique.
  package init(repeated properties: [String], of entity: String, rows: Int) {
    self.init(
      kind: .index, entity: entity, property: properties.joined(separator: ", "),
      reason: "they are alike, though unique in the model", count: rows)
  }

  /// True if it is data that the store lacks.
  package var isOfContent: Bool { kind == .value || kind == .link }

  /// The name of what only top-level keys hold.
  package static let topLevel = "top level"

  /// True if another is of the same kind, so that only the counts differ.
  package func isSameKind(as other: LayoutOmission) -> Bool {
    (kind, entity, property, reason) == (other.kind, other.entity, other.property, other.reason)
  }
}
