import Support

extension ValidationError: CustomStringConvertible {
  /// The error in words, without the path of the archive.
  public var description: String {
    var location = uid.map { "object \($0)" } ?? row.map { "row \($0)" } ?? ""
    if let className { location += location.isEmpty ? className : " (\(className))" }
    if let key { location += location.isEmpty ? "key \(key)" : ", key \(key)" }
    var property = entity ?? ""
    if let name = self.property { property += property.isEmpty ? name : ".\(name)" }
    let parts = [location, property].filter { !$0.isEmpty }
    return (parts + [words]).joined(separator: ": ")
  }

  /// The errors in words, a line for all that differ in nothing but the object.
  ///
  /// - Parameters:
  ///   - errors: The errors, as far as they are listed.
  ///   - count: How many there are in all.
  /// - Returns: Lines with the path of the archive.
  package static func messages(_ errors: [ValidationError], count: Int) -> [String] {
    var seen: Set<ValidationError> = []
    var lines: [String] = []
    var rest = count
    for error in errors where seen.insert(error.withoutObject).inserted {
      rest -= error.times
      let path = error.archive ?? "the store"
      let remedy = error.remedy.map { "; \($0)" } ?? ""
      guard error.times > 1 else {
        lines.append("\(path): \(error)\(remedy)")
        continue
      }
      let first = error.uid.map { ", first in object \($0)" } ?? ""
      let times = Words.count(error.times, "time")
      lines.append("\(path): \(error.withoutObject): \(times)\(first)\(remedy)")
    }
    if rest > 0 {
      let more = Words.count(rest, "more error")
      lines.append("\(more) \(rest == 1 ? "is" : "are") not listed")
    }
    return lines
  }

  private var words: String {
    let more = detail.map { " (\($0))" } ?? ""
    let kind = kind ?? "value"
    return switch code {
    case .missingValue: "is empty, but must not be"
    case .wrongKind: "cannot hold this \(kind)\(more)"
    case .conversionFailed: detail ?? "the \(kind) cannot be converted"
    case .tooSmall: "is below the minimum\(more)"
    case .tooLarge: "is above the maximum\(more)"
    case .tooShort: "the text is too short\(more)"
    case .tooLong: "the text is too long\(more)"
    case .patternMismatch: "the text does not match the model's pattern"
    case .tooFewRows: "refers to too few rows\(more)"
    case .tooManyRows: "refers to too many rows\(more)"
    case .wrongEntity: "cannot refer to a row of this entity\(more)"
    case .notUnique: "is not unique\(more)"
    case .deleteDenied: "cannot be deleted: other rows refer to it"
    case .unknownName: "the model has no such name\(more)"
    case .notToMany: "rows cannot be added: not a to-many relationship"
    case .notAssociated: "the policy created rows without associating them with the object"
    case .expressionFailed: detail ?? "the expression has no value"
    case .hookFailed: "the hook failed\(more)"
    case .policyFailed: "the policy failed\(more)"
    }
  }
}
