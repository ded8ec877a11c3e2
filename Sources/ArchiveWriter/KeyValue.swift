/// One entry of a property list's dictionary.
public struct KeyValue: Sendable, Equatable {
  /// The entry's key.
  public var key: String
  /// The entry's value.
  public var value: PropertyListValue

  /// Makes an entry.
  public init(_ key: String, _ value: PropertyListValue) {
    self.key = key
    self.value = value
  }
}
