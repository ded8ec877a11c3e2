import Mappings

extension MigrationMapping {
  /// The value of a key path of `$entityMapping` in an expression.
  package func value(forKeyPath path: [String]) throws(ExpressionFailure) -> ImportValue {
    switch path.first {
    case nil: return .null
    case "name": return .text(name)
    case "sourceEntityName": return sourceClassNames.first.map { .text($0) } ?? .null
    case "destinationEntityName": return destination.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2: return userInfo[path[1]] ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }

  /// The value of a key path of `$propertyMapping` in an expression.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - property: The name of the property.
  ///   - notes: Those of the author, by key.
  /// - Returns: The value.
  /// - Throws: `ExpressionFailure` for an unknown key.
  package static func value(
    forKeyPath path: [String], ofProperty property: String?, _ notes: [String: ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    switch path.first {
    case nil: return .null
    case "name": return property.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2: return notes[path[1]] ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }
}
