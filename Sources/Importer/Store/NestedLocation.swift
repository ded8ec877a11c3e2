/// The place of an archive inside of another.
public struct NestedLocation: Sendable, Hashable {
  /// The path of the archive around it.
  public var outer: String
  /// The object that holds its bytes, by its UID, or by its primary key in a Core Data store; nil
  /// if a top-level key does.
  public var uid: Int?
  /// The key that holds them.
  public var key: String

  package init(outer: String, uid: Int?, key: String) {
    (self.outer, self.uid, self.key) = (outer, uid, key)
  }
}
