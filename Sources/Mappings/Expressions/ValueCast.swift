import ArchiveReader
import DataModel
import Foundation

/// The classes that a value can be cast to.
package enum ValueCast: String, Sendable, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case text = "NSString"
  case uuid = "NSUUID"
  case url = "NSURL"

  /// The value as one of the class; nil stays nil.
  func cast(_ value: ImportValue) throws(ExpressionFailure) -> ImportValue {
    if value.isNull { return .null }
    let result: ImportValue? =
      switch self {
      case .date: Self.date(value)
      case .number: Self.number(value)
      case .decimal: Self.decimal(value)
      case .text: Self.text(value).map { .text($0) }
      case .uuid: Self.uuid(value)
      case .url: Self.url(value)
      }
    guard let result else {
      throw ExpressionFailure(.badCast, name: "\(value.kind) to \(rawValue)")
    }
    return result
  }

  private static func number(_ value: ImportValue) -> ImportValue? {
    switch value {
    case .text(let text):
      guard let number = ExactNumber(text: text) else { return nil }
      if let integer = number.integer { return .integer(integer) }
      return number.real.isFinite ? .real(number.real) : nil
    case .date(let date): return .real(date.timeIntervalSinceReferenceDate)
    default: return NumericValue(value) == nil ? nil : value
    }
  }

  private static func decimal(_ value: ImportValue) -> ImportValue? {
    switch value {
    case .text(let text): ImportValue(decimalText: text)
    case .date(let date): decimal(.real(date.timeIntervalSinceReferenceDate))
    default: NumericValue(value)?.exact?.decimal.map { .decimal($0) }
    }
  }

  private static func text(_ value: ImportValue) -> String? {
    switch value {
    case .text(let text), .url(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .date(let date): DateText.text(secondsSince2001: date.timeIntervalSinceReferenceDate)
    case .bool(let bool): bool ? "1" : "0"
    case .integer(let integer): "\(integer)"
    case .real(let real): Int64(exactly: real).map { "\($0)" } ?? "\(real)"
    case .decimal(let decimal): decimal.description
    case .foundation: ValueText.text(of: value)
    default: nil
    }
  }

  private static func uuid(_ value: ImportValue) -> ImportValue? {
    switch value {
    case .uuid: value
    case .text(let text): UUID(uuidString: text).map { .uuid($0) }
    case .data(let data) where data.count == 16:
      unsafe .uuid(
        data.withUnsafeBytes { bytes in
          unsafe UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        })
    default: nil
    }
  }

  private static func url(_ value: ImportValue) -> ImportValue? {
    switch value {
    case .url: value
    case .text(let text): text.isEmpty || URL(string: text) == nil ? nil : .url(text)
    default: nil
    }
  }

  private static func date(_ value: ImportValue) -> ImportValue? {
    switch value {
    case .date: value
    case .text(let text):
      ISO8601Text.relaxedDate(text).map { .date($0) }
    default:
      NumericValue(value)?.exact.map { .date(Date(timeIntervalSinceReferenceDate: $0.real)) }
    }
  }
}
