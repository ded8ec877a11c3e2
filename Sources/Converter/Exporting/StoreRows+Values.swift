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

  /// A text whose attributes are in a column of their own.
  func attributedText(_ text: StoredValue, _ runs: String, _ name: String) -> Item {
    made(name) { _ in
      let plain: String? = if case .text(let text) = text { text } else { nil }
      return try foundation.attributedText(plain, runs: runs)
    }
  }

  /// Makes an object; nil if it has to be refused.
  private func made(
    _ name: String, _ make: ((String) -> EditError) throws -> Item
  ) -> Item {
    do {
      return try make { EditError(table: name, row: nil, column: "", reason: $0) }
    } catch let error as EditError {
      refuse(name, error.reason)
    } catch let error as FoundationItems.Obstacle {
      refuse(name, error.words)
    } catch {
      refuse(name, "\(error)")
    }
    return .none
  }

  private func object(_ value: StoredValue, _ type: AttributeType, _ name: String) -> Item {
    switch (value, type) {
    case (.null, _): .none
    case (.integer(let number), .boolean) where (0...1).contains(number):
      .plain(.bool(number == 1))
    case (.integer(let number), .double): .plain(.real(Double(number)))
    case (.integer, .decimal): made(name) { try decimal(value, $0) }
    case (.integer(let number), _): .plain(.integer(number))
    case (.real(let number), _): .plain(.real(number))
    case (.blob(let bytes), _): .object(.data(bytes))
    case (.text(let text), _): made(name) { try self.text(text, type, $0) }
    }
  }

  private func decimal(_ value: StoredValue, _ fail: (String) -> EditError) throws -> Item {
    FoundationItems.decimal(try ArchiveEditor.decimal(value, fail))
  }

  private func text(
    _ text: String, _ type: AttributeType, _ fail: (String) -> EditError
  ) throws -> Item {
    if let obstacle = FoundationItems.obstacle(to: text) { throw fail(obstacle) }
    switch type {
    case .date:
      return .instance(.date, [.plain(.real(try ArchiveEditor.seconds(text, fail)))])
    case .uuid: return .instance(.uuid, [.plain(.data(try ArchiveEditor.uuid(text, fail)))])
    case .decimal: return try decimal(.text(text), fail)
    case .uri: return .instance(.url, [.none, .object(.string(text))])
    case .json: return try foundation.value(text)
    case .string, .attributedText: return .object(.string(text))
    default:
      // Numbers beyond all others stand among numbers.
      if text == "NaN" { return .plain(.real(.nan)) }
      if text.utf8.first == UInt8(ascii: "{") {
        do throws(FoundationItems.Obstacle) {
          return try foundation.value(text)
        } catch .noValue {
          return .object(.string(text))
        }
      }
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
    return false
  }
}
