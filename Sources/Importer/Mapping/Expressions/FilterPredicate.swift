/// A predicate in NSPredicate's format.
public struct FilterPredicate: Sendable, Equatable {
  /// The text that it was parsed from.
  public let format: String
}
