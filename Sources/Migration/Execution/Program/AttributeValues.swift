import DataModel
import Foundation
import GraphCore
import Mappings

extension Attribute {
  /// What an object has for the attribute when it is inserted: its default, or nil.
  var initialValue: ImportValue {
    defaultValue?.value.flatMap { $0.fitted(to: type) } ?? .null
  }
}

extension AttributeDefault {
  /// The default as a value; nil for what models do not write as one.
  fileprivate var value: ImportValue? {
    switch self {
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .real(value)
    case .decimal(let text): ImportValue(decimalText: text)
    case .string(let text): .text(text)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .other: nil
    }
  }
}

extension ImportValue {
  /// The value as one that an attribute of a type holds; nil if it holds none of its kind.
  ///
  /// Numbers become those of other types as Core Data stores them: they are rounded where they have
  /// to be. Numbers become texts; texts become UUIDs and URLs, but never numbers.
  func fitted(to type: AttributeType) -> ImportValue? {
    switch (type, self) {
    case (_, .null), (.string, .text), (.date, .date), (.binary, .data), (.transformable, _),
      (.uuid, .uuid), (.uri, .url), (.boolean, .bool), (.double, .real), (.decimal, .decimal):
      return self
    case (.decimal, .real(let value)) where value.isNaN: return self
    default: break
    }
    switch ValueCoercion.coerce(self, to: type) {
    case .value(let value), .lossy(let value, _): return value
    case .refused: return nil
    }
  }
}

extension UnarchivedValue {
  /// A constant as a value of an attribute; nil for collections and values of other classes.
  var importValue: ImportValue? {
    switch self {
    case .null, .nsNull: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let value): ImportValue(value)
    case .real(let value): .real(value)
    case .date(let date):
      .date(Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate))
    case .text(let text): .text(text)
    case .data(let data): .data(data)
    case .uuid(let uuid): .uuid(uuid)
    case .decimal(let text): ImportValue(decimalText: text) ?? .real(.nan)
    case .url(let text): .url(text)
    case .className, .array, .set, .orderedSet, .countedSet, .dictionary, .foundation: nil
    }
  }
}
