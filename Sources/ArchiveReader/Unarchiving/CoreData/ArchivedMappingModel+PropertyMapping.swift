extension ArchivedMappingModel {
  /// An NSPropertyMapping: where the value of a property comes from.
  public struct PropertyMapping: KeyedDecodable {
    /// The archived class.
    public static let archivedClassNames = ["NSPropertyMapping"]

    /// The attribute or relationship of the new model.
    public let property: String?
    /// What gives its value; nil where the new model's default value stands.
    public let value: ArchivedExpression?
    /// What the author left for policies: texts, numbers and other values of a property list.
    public let userInfo: DecodedValue?

    /// Decodes a mapping.
    ///
    /// - Parameter coder: The object's keys.
    /// - Throws: `ArchiveError` for a value of another kind.
    public init(coder: KeyedCoder) throws {
      property = try coder.decodeString(forKey: "NSDestinationPropertyName")
      value = try coder.decode(forKey: "NSValueExpression")
      userInfo = try coder.decodeObject(forKey: "NSUserInfo")
    }
  }
}

extension ArchivedExpression: DecodedValueConvertible {
  /// What is expected.
  public static var expectedKind: String { "an expression" }

  /// An expression of any kind.
  public static func value(of value: DecodedValue) -> ArchivedExpression? {
    if case .foundation(let found) = value { found.as(Self.self) } else { nil }
  }
}
