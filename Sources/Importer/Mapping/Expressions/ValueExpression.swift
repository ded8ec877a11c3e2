/// A value expression in NSExpression's format.
public struct ValueExpression: Sendable, Equatable {
  /// The text that it was parsed from.
  public let format: String
}
