import ArchiveWriter
import DataModel
import Foundation
import GraphCore
import Mappings
import SQLite

/// How Core Data stores the values of an attribute, where that is not as the relational layout
/// does.
enum CoreDataForm: Equatable {
  /// Seconds since 2001.
  case date
  /// The nearest double.
  case decimal
  /// 16 bytes.
  case uuid
  /// In the row itself, which is always legal: one byte says so.
  case data
  /// A keyed archive, as the default transformer writes it.
  ///
  /// Data may be one already: what was archived under a key is one, and data that a hook set is
  /// taken for one. Where external data is allowed, one byte says that it is in the row itself.
  case archive(isArchived: Bool, isPrefixed: Bool)
  /// A number without NaN and the sign of zero, which a column of real numbers does not keep.
  case real

  /// The form of an attribute; nil if both layouts store it alike.
  init?(of attribute: Attribute) {
    switch attribute.type {
    case .date: self = .date
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .binary where attribute.allowsExternalBinaryDataStorage: self = .data
    case .transformable:
      self = .archive(
        isArchived: attribute.archivedType == nil,
        isPrefixed: attribute.allowsExternalBinaryDataStorage)
    case .double, .float: self = .real
    default: return nil
    }
  }

  /// A text of the usual kind in this form, from which nothing is lost: the same as `value` gives,
  /// in a fraction of the time.
  ///
  /// - Parameter text: The text as the relational layout has it.
  /// - Returns: The value; nil if `value` has to be asked.
  func value(ofUsual text: BorrowedBytes) -> StoredValue? {
    switch self {
    case .date: ISO8601Text.usualSeconds(text).map { .real($0) }
    case .decimal: unsafe Self.shortNumber(text.buffer).map { .real($0) }
    case .uuid: UUIDText.bytes(text).map { .blob(Data($0)) }
    case .data, .archive, .real: nil
    }
  }

  /// A value in this form.
  ///
  /// - Parameters:
  ///   - value: The value as the relational layout has it.
  ///   - onLoss: Called with what it was, and what becomes of it, if that is less.
  /// - Returns: The value; one of another kind than the attribute's as it is.
  func value(_ value: StoredValue, onLoss: (String, String) -> Void) -> StoredValue {
    func lost(_ text: String) -> StoredValue {
      onLoss(text, "nothing")
      return .null
    }
    switch (self, value) {
    case (.date, .text(let text)):
      if let date = ISO8601Text.date(text) { return .real(date.timeIntervalSinceReferenceDate) }
      // Seconds that no calendar reaches are written as a plain number. SQLite keeps none that is
      // not a number.
      guard let seconds = Double(text), !seconds.isNaN,
        DateText.text(secondsSince2001: seconds) == text
      else { return lost(text) }
      return .real(seconds)
    // As Core Data keeps it.
    case (.decimal, .text("NaN")): return value
    case (.decimal, .text(let text)):
      if let number = Self.shortNumber(text.utf8) { return .real(number) }
      guard let number = Double(text), number.isFinite else { return lost(text) }
      if ExactNumber(number) != ExactNumber(text: text) { onLoss(text, "\(number)") }
      return .real(number)
    case (.real, .real(let number)) where number == 0 && number.sign == .minus:
      onLoss("-0.0", "0.0")
      return .real(0)
    // SQLite has no NaN.
    case (.real, .text("NaN")): return lost("NaN")
    case (.uuid, .text(let text)):
      guard let uuid = UUID(uuidString: text) else { return lost(text) }
      return .blob(Data(uuid.bytes))
    case (.data, .blob(let data)): return .blob([1] + data)
    case (.archive(let isArchived, let isPrefixed), _):
      let archive = Self.archive(of: value, isArchived: isArchived)
      guard isPrefixed, case .blob(let data) = archive else { return archive }
      return .blob([1] + data)
    default: return value
    }
  }

  /// Whether a value can be restored from what is stored for it, unless something was lost.
  ///
  /// The nearest double tells no decimal, and an archive has to be read.
  var isReversible: Bool {
    switch self {
    case .date, .uuid, .data: true
    case .decimal, .archive, .real: false
    }
  }

  /// The value of which this is the form.
  ///
  /// - Parameter stored: What Core Data has.
  /// - Returns: The value as the relational layout has it; what cannot be restored as it is.
  func relationalValue(_ stored: StoredValue) -> StoredValue {
    switch (self, stored) {
    case (.date, .real(let seconds)): .text(DateText.text(secondsSince2001: seconds))
    // SQLite keeps whole seconds as integers.
    case (.date, .integer(let seconds)): .text(DateText.text(secondsSince2001: Double(seconds)))
    case (.decimal, .real(let number)): .text("\(number)")
    case (.uuid, .blob(let bytes)) where bytes.count == 16:
      .text(Array(bytes).withBorrowedBytes(UUIDText.text))
    case (.data, .blob(let data)): .blob(data.dropFirst())
    default: stored
    }
  }

  /// The number that a text of at most fifteen digits writes: so many a double keeps.
  private static func shortNumber(_ text: some Sequence<UInt8>) -> Double? {
    var (whole, scale, digitCount) = (0, 1, 0)
    var (hasPoint, isNegative) = (false, false)
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        guard digitCount <= 15 else { return nil }
        whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
        if hasPoint { scale *= 10 }
      case UInt8(ascii: ".") where !hasPoint && digitCount > 0: hasPoint = true
      case UInt8(ascii: "-") where index == 0: isNegative = true
      default: return nil
      }
    }
    guard digitCount > 0 else { return nil }
    // Both are exact, so that this rounds once.
    let number = Double(whole) / Double(scale)
    return isNegative ? -number : number
  }

  private static func archive(of value: StoredValue, isArchived: Bool) -> StoredValue {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch value {
    case .null: return value
    case .blob(let data):
      guard !isArchived else { return value }
      root = archive.add(.data(data))
    case .integer(let number): root = archive.add(.integer(number))
    case .real(let number): root = archive.add(.real(number))
    case .text(let text): root = archive.string(text)
    }
    archive.setTop("root", root)
    return .blob(archive.binary())
  }
}
