import Support

/// A value or a row that breaks a rule of the model, or that could not be made.
///
/// An import collects all of them. The words are made in `ValidationError+Description`.
public struct ValidationError: Sendable, Hashable {
  /// The kinds of error.
  public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
    /// A property that must not be empty is.
    case missingValue
    /// A value is of a kind that the attribute cannot hold.
    case wrongKind
    /// A conversion has no answer for a value.
    case conversionFailed
    /// A number or date is below the least.
    case tooSmall
    /// A number or date is above the greatest.
    case tooLarge
    /// A text is shorter than the least length.
    case tooShort
    /// A text is longer than the greatest length.
    case tooLong
    /// A text does not match the pattern.
    case patternMismatch
    /// A relationship leads to fewer rows than it must.
    case tooFewRows
    /// A relationship leads to more rows than it may.
    case tooManyRows
    /// A relationship was given a row of another entity.
    case wrongEntity
    /// Two rows have the same values where the model wants them unique.
    case notUnique
    /// A row cannot be deleted, since others hold it.
    case deleteDenied
    /// A hook or policy named an entity or property that the model does not have.
    case unknownName
    /// A hook or policy added rows to what is not a to-many relationship.
    case notToMany
    /// A policy made rows without saying which source instance they stand for.
    case notAssociated
    /// A filter or expression could not be evaluated.
    case expressionFailed
    /// A hook threw an error.
    case hookFailed
    /// A policy threw an error.
    case policyFailed
  }

  /// The kind of error.
  public var code: Code
  /// The path of the archive; nil where rows of several are concerned.
  public var archive: String?
  /// The archived object.
  public var uid: Int?
  /// Its class.
  public var className: String?
  /// The archived key that held the value.
  public var key: String?
  /// The entity.
  public var entity: String?
  /// The row, where the object is not known.
  public var row: Int64?
  /// The attribute or relationship.
  public var property: String?
  /// The kind of value, in words such as "text" and "real number".
  public var kind: String?
  /// More words: the reason of a conversion, a limit, the nearest name, and never a value.
  public var detail: String?
  /// A remedy, in words; nil if none is known.
  public var remedy: String?
  /// The number of errors that differ from it in nothing but the object: set of the first of them.
  package var times = 1

  /// The error without the object, as others may be.
  var withoutObject: ValidationError {
    var error = self
    (error.uid, error.row, error.times) = (nil, nil, 1)
    return error
  }

  /// Creates an error.
  public init(
    _ code: Code, entity: String? = nil, row: Int64? = nil, property: String? = nil,
    kind: String? = nil, detail: String? = nil, remedy: String? = nil
  ) {
    self.code = code
    self.entity = entity
    self.row = row
    self.property = property
    self.kind = kind
    self.detail = detail
    self.remedy = remedy
  }
}

/// Two statements of the archives that cannot both be kept, or that only one side makes.
public struct ImportConflict: Sendable, Hashable, Codable {
  /// The kinds of conflict.
  public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
    /// The two sides of a relationship name different rows; the owning side was kept.
    case sidesDisagree
    /// Two rows claim the same row, which can belong to one only; the later one has it.
    case claimedTwice
    /// A row names another whose collection does not hold it; the link was kept.
    case notInCollection
    /// Archives hold different values for a row of the same identity; the later one was kept.
    case differentValue
  }

  /// The kind of conflict.
  public var code: Code
  /// The path of the archive.
  public var archive: String?
  /// The object that was being read.
  public var uid: Int?
  /// Its class.
  public var className: String?
  /// The entity.
  public var entity: String
  /// The row.
  public var row: Int64
  /// The attribute or relationship.
  public var property: String

  private enum CodingKeys: String, CodingKey {
    case code, archive, uid, entity, row, property
    case className = "class"
  }
}

extension ImportConflict {
  init(
    _ code: Code, at location: ImportFindings.Location, entity: String, row: Int64,
    property: String
  ) {
    self.init(
      code: code, archive: location.archive, uid: location.uid, className: location.className,
      entity: entity, row: row, property: property)
  }
}

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
