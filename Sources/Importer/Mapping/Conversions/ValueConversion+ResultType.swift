extension ValueConversion {
  /// The type of attribute that holds what the conversion makes.
  ///
  /// - Parameter type: The type of an attribute that holds the values before.
  /// - Returns: The type; nil if the values stay as they are.
  public func resultType(from type: AttributeType) -> AttributeType? {
    var result: AttributeType?
    for rule in rules { result = rule.resultType(from: result ?? type) }
    return result
  }
}

extension ValueConversion.Rule {
  fileprivate func resultType(from type: AttributeType) -> AttributeType {
    switch self {
    case .decimal(_, _, .keep):
      // A NaN that is kept is no decimal.
      [.float, .double, .transformable, .undefined, .mixed].contains(type) ? .mixed : .decimal
    case .decimal: .decimal
    case .number(.integer, _, _), .integer: .integer
    case .number(.double, _, _), .double, .dateNumber: .double
    case .number(.decimal, _, _): .decimal
    case .decimalText, .dateText, .json, .text: .string
    case .dateFromText, .dateFromNumber: .date
    case .enumeration(let cases, let otherwise):
      Self.commonType(
        of: cases.compactMap { $0.to.attributeType } + (otherwise == .keep ? [type] : []))
    case .uuid: .uuid
    case .url: .uri
    case .boolean: .boolean
    case .archive: .binary
    }
  }

  private static func commonType(of types: [AttributeType]) -> AttributeType {
    guard let first = types.first else { return .unknown }
    return types.allSatisfy { $0 == first } ? first : .mixed
  }
}

extension ImportValue {
  /// The type of attribute that holds the value; nil for nothing.
  fileprivate var attributeType: AttributeType? {
    switch self {
    case .null: nil
    case .bool: .boolean
    case .integer: .integer
    case .real: .double
    case .decimal: .decimal
    case .text: .string
    case .date: .date
    case .data: .binary
    case .uuid: .uuid
    case .url: .uri
    case .row, .list, .set, .dictionary: .mixed
    }
  }
}
