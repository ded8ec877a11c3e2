import ArchiveReader
import Foundation
import GraphCore

/// The values of one row, in a batch that gathers rows for the store.
///
/// Texts and blobs are not copied where they stay in the source's memory: the batch keeps that, and
/// its own: see `StoreWriter.keep`.
final class RowBuffer {
  private(set) var batch: RowBatch
  private var cells: RowCells
  /// True if the bytes of values are copied, since their source does not keep them.
  var copiesValues = false
  /// True if instants get their form with the column, on their way into the store.
  private let keepsInstants: Bool

  init(_ batch: RowBatch, keepsInstants: Bool) {
    (self.batch, self.keepsInstants) = (batch, keepsInstants)
    cells = batch.begin(0)
  }

  /// Begins a row of some columns, all NULL.
  func clear(_ count: Int) {
    cells = batch.begin(count)
  }

  func set(_ column: Int, _ value: Int64) { cells.set(column, value) }

  func set(_ column: Int, _ value: Double) { cells.set(column, value) }

  /// Adds one for each of the first columns of the row that is set.
  @inline(__always)
  func countSet(_ columns: Int, into counts: inout MutableSpan<Int>, from first: Int) {
    cells.countSet(columns, into: &counts, from: first)
  }

  /// The whole number that a column of the row is set to; nil for anything else.
  func integer(at column: Int) -> Int64? { cells.integer(at: column) }

  /// Sets a column to a text or blob that stays where it is until the row is in the store.
  func set(_ column: Int, inPlace bytes: BorrowedBytes, isText: Bool) {
    cells.set(column, bytes, isText: isText)
  }

  /// Sets a column to the bytes of a value, which are copied if they do not stay where they are.
  @inline(__always)
  func set(_ column: Int, borrowing bytes: BorrowedBytes, isText: Bool) {
    set(column, inPlace: copiesValues ? copy(bytes) : bytes, isText: isText)
  }

  /// Sets a column to a text that is copied.
  func set(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      let copy = unsafe copy(BorrowedBytes(.init(utf8)))
      set(column, inPlace: copy, isText: true)
    }
  }

  /// Sets a column to data that is copied.
  func set(_ column: Int, _ data: Data) {
    unsafe data.withUnsafeBytes { bytes in
      set(column, inPlace: unsafe copy(BorrowedBytes(bytes)), isText: false)
    }
  }

  /// Sets a column to a value.
  func set(_ column: Int, _ value: StoredValue) {
    switch value {
    case .null: break
    case .integer(let number): set(column, number)
    case .real(let number): set(column, number)
    case .text(let text): set(column, text)
    case .blob(let data): set(column, data)
    }
  }

  /// Sets a column to an instant.
  func set(_ column: Int, secondsSince2001 seconds: Double) {
    if keepsInstants { return cells.set(column, instant: seconds) }
    let isSet = set(column, textUpTo: DateText.usualSize) {
      DateText.writeUsual(secondsSince2001: seconds, into: &$0)
    }
    if !isSet { set(column, DateText.text(secondsSince2001: seconds)) }
  }

  /// Sets a column to a text that is written in place.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - most: The greatest number of bytes of the text.
  ///   - write: Writes the text into memory of that size, and returns how many bytes it has; nil if
  ///     there is none.
  /// - Returns: True if there was one.
  @inline(__always) @discardableResult
  func set(
    _ column: Int, textUpTo most: Int, _ write: (inout OutputSpan<UInt8>) -> Bool
  ) -> Bool {
    guard let text = batch.bytes.write(upTo: most, write) else { return false }
    set(column, inPlace: text, isText: true)
    return true
  }

  /// Copies bytes: the copy stays in place until the row is in the store.
  @inline(__always)
  func copy(_ bytes: BorrowedBytes) -> BorrowedBytes { batch.bytes.copy(bytes) }

  /// Sets a column to a real number.
  func set(_ column: Int, real value: Double) {
    // SQLite turns NaN into NULL; as a text it stays what it is.
    if value.isNaN { set(column, "NaN") } else { set(column, value) }
  }

  /// Goes on in another batch.
  func exchange(for other: RowBatch) {
    batch = other
    cells = other.begin(0)
  }
}

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
