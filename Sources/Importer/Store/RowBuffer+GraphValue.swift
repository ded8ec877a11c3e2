import ArchiveReader
import Foundation

extension RowBuffer {
  /// Sets a column to a plain value as the relational layout stores it.
  ///
  /// Objects and collections are not plain; they leave it NULL.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value.
  ///   - graph: The graph that it stands in.
  ///   - isReal: Whether the column is declared as one of reals.
  /// - Returns: Whether all of the value is in the column.
  func set(
    _ column: Int, to value: GraphValue, _ graph: any ObjectGraph, isReal: Bool = false
  ) -> Bool {
    switch value {
    case .null, .nsNull, .object, .collection:
      break
    case .bool(let value):
      set(column, value ? 1 as Int64 : 0)
    case .integer(let value):
      set(column, value)
    case .wideInteger(let wide):
      set(column, String(wide.value))
    case .real(let value):
      guard isReal, RealColumn.changes(value) else {
        set(column, real: value)
        break
      }
      set(column, RealColumn.kept(of: value).value)
      return false
    case .date(let seconds):
      set(column, secondsSince2001: seconds)
    case .data(let bytes):
      set(column, borrowing: bytes, isText: false)
    case .text(let text):
      guard case .utf16 = text.encoding else {
        set(column, borrowing: text.bytes, isText: true)
        break
      }
      return set(column, utf16: text.bytes)
    case .uuid(let bytes):
      set(column, uuid: bytes)
    case .decimal(let decimal):
      set(column, decimal)
    case .url(let text):
      set(column, borrowing: text.bytes, isText: true)
    case .relativeURL(let uid):
      guard let text = graph.urlText(uid) else { return false }
      set(column, text)
    case .foundation(let uid, _):
      guard let value = try? graph.foundationValue(uid) else { return false }
      set(column, runs: nil, to: value)
    case .className(let id):
      set(column, ArchivedName.plain(graph.classes[id.index].name))
    }
    return true
  }

  /// Sets a column to a text in UTF-16; returns whether all of it is in the column.
  private func set(_ column: Int, utf16 bytes: BorrowedBytes) -> Bool {
    var isLossy = false
    // A unit takes at most three bytes of UTF-8.
    set(column, textUpTo: bytes.count / 2 * 3) { span in
      isLossy = !UTF16Text.transcode(bytes, into: &span)
      return true
    }
    return !isLossy
  }

  /// Sets a column to a decimal.
  func set(_ column: Int, _ decimal: ArchivedDecimal) {
    let isSet = set(column, textUpTo: ArchivedDecimal.maxBytes) { decimal.write(into: &$0) }
    if !isSet { set(column, decimal.text) }
  }

  /// Sets a column to a decimal number.
  func set(_ column: Int, _ decimal: Decimal) {
    if let mantissa = decimal.shortMantissa, let exponent = Int16(exactly: decimal.exponent) {
      set(
        column,
        ArchivedDecimal(
          mantissa: mantissa, exponent: exponent, isNegative: decimal.isSignMinus))
    } else if let text = ImportValue.decimal(decimal).storedText {
      set(column, text)
    }
  }

  /// Sets a column to a UUID of sixteen bytes.
  @inline(__always)
  func set(_ column: Int, uuid bytes: BorrowedBytes) {
    set(column, textUpTo: UUIDText.size) { span in
      UUIDText.write(bytes, into: &span)
      return true
    }
  }

  /// Sets a column to a value of one of Foundation's other classes, as JSON.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - runs: The column of the attributes, where the first is for the text alone.
  ///   - value: The value.
  func set(_ column: Int, runs: Int?, to value: FoundationValue) {
    guard let runs, let attributed = value.as(ArchivedAttributedString.self) else {
      set(column, value.json)
      return
    }
    if let text = attributed.text { set(column, text) }
    set(runs, attributed.runsJSON)
  }
}
