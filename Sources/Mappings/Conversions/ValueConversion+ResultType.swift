import DataModel

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
        of: cases.map(\.to).filter { !$0.isNull }.map(\.archivedType)
          + (otherwise == .keep ? [type] : []))
    case .uuid: .uuid
    case .url: .uri
    case .boolean: .boolean
    case .archive: .binary
    case .unarchive: .mixed
    }
  }

  private static func commonType(of types: [AttributeType]) -> AttributeType {
    guard let first = types.first else { return .unknown }
    return types.allSatisfy { $0 == first } ? first : .mixed
  }
}
