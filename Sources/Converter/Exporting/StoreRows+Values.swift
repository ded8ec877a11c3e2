import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import Mappings
import Stores
import Verification

extension StoreRows {
  /// A value under a top-level key.
  func topValue(_ value: StoredValue) -> Item {
    self.value(value, .mixed, RelationalLayout.topTable)
  }

  func value(_ value: StoredValue, _ type: AttributeType, _ name: String) -> Item {
    let item = object(value, type, name)
    return isComparing ? .stored(value, item) : item
  }

  private func object(_ value: StoredValue, _ type: AttributeType, _ name: String) -> Item {
    func fail(_ reason: String) -> EditError {
      EditError(table: name, row: nil, column: "", reason: reason)
    }
    do {
      switch (value, type) {
      case (.null, _): return .none
      case (.integer(let number), .boolean) where (0...1).contains(number):
        return .number(.bool(number == 1))
      case (.integer(let number), .double): return .number(.real(Double(number)))
      case (.integer(let number), .decimal):
        return .instance(
          Self.decimalClass, try ArchiveEditor.decimal(.integer(number), fail))
      case (.integer(let number), _): return .number(.integer(number))
      case (.real(let number), _): return .number(.real(number))
      case (.blob(let bytes), _): return .object(.data(bytes))
      case (.text(let text), _):
        // An archive has it for nil, and SQLite gives it for what is not UTF-8.
        guard text != "$null" else { throw fail("an archive has no text '$null'") }
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
          throw fail("texts are not in UTF-8, or have a replacement character")
        }
        return try self.text(text, type, fail)
      }
    } catch {
      refuse(name, (error as? EditError)?.reason ?? "\(error)")
      return .none
    }
  }

  private static let decimalClass = "NSDecimalNumberPlaceholder"

  private func text(
    _ text: String, _ type: AttributeType, _ fail: (String) -> EditError
  ) throws -> Item {
    switch type {
    case .date:
      return .instance(
        "NSDate", [KeyValue("NS.time", .real(try ArchiveEditor.seconds(text, fail)))])
    case .uuid:
      return .instance(
        "NSUUID", [KeyValue("NS.uuidbytes", .data(try ArchiveEditor.uuid(text, fail)))])
    case .decimal: return .instance(Self.decimalClass, try ArchiveEditor.decimal(.text(text), fail))
    case .uri: return .url(text)
    case .json: throw fail("values of Foundation's other classes cannot be exported")
    case .string, .attributedText: return .object(.string(text))
    default:
      // Numbers beyond all others stand among numbers.
      if text == "NaN" { return .number(.real(.nan)) }
      guard !texts.isAmbiguous(text) else {
        throw fail("texts may stand for values of several classes")
      }
      return .object(.string(text))
    }
  }
}

/// The classes whose values are texts in columns of several types.
struct TextKinds {
  private let hasDates: Bool
  private let hasUUIDs: Bool
  private let hasURLs: Bool
  private let hasDecimals: Bool

  init(_ classes: some Collection<String>) {
    func has(_ names: String...) -> Bool { names.contains { name in classes.contains(name) } }
    hasDates = has("NSDate", "NSCalendarDate")
    hasUUIDs = has("NSUUID")
    hasURLs = has("NSURL")
    hasDecimals = has("NSDecimalNumber", "NSDecimalNumberPlaceholder")
  }

  /// True if a text may be what something else than a text became.
  func isAmbiguous(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let isNumeric = first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
    if isNumeric, Double(text) != nil, hasDecimals || hasDates || text.utf8.count > 18 {
      return true
    }
    if hasDates, ISO8601Text.date(text) != nil { return true }
    if hasUUIDs, UUID(uuidString: text) != nil { return true }
    if hasURLs, text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.\-]*:/) != nil { return true }
    return first == UInt8(ascii: "{")
  }
}
