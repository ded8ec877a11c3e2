import ArchiveReader
internal import CSQLite
import Foundation
import Importer
import Stores

/// Compares cells of a store with what they have to hold, without copies where that is possible.
struct CellComparer {
  /// Room for text that has to be written out before it can be compared.
  private var space: [UInt8] = []
  /// The number of its bytes that were written.
  private var written = 0
  /// The columns of the row compared last that do not hold what they must, or for which it is not
  /// known what that is.
  private(set) var wrongColumns: [Int] = []

  /// The size of the text of a UUID, in bytes.
  private static let uuidSize = 36

  /// Compares the cells of a row.
  ///
  /// - Parameters:
  ///   - columns: The columns to compare.
  ///   - found: The row.
  ///   - expected: The value that each column of the table has to hold.
  ///   - graph: the graph of the archive that the values stand in.
  /// - Returns: The numbers of values and links.
  mutating func compare(
    _ columns: [TableScan.Column], of found: UnsafeBufferPointer<csq_value>,
    _ expected: [ExpectedValue], _ graph: any ObjectGraph
  ) -> (values: Int, links: Int) {
    wrongColumns.removeAll(keepingCapacity: true)
    var (values, links) = (0, 0)
    for column in columns {
      let expected = expected[column.index]
      guard !expected.isUnknown else {
        wrongColumns.append(column.index)
        continue
      }
      if !expected.isNothing {
        switch column.use {
        case .value: values += 1
        case .link: links += 1
        case .other: break
        }
      }
      if unsafe !isEqual(found[column.cell], expected, isReal: column.isReal, graph) {
        wrongColumns.append(column.index)
      }
    }
    return (values, links)
  }

  /// True if a cell holds a value.
  ///
  /// - Parameters:
  ///   - found: The cell.
  ///   - expected: The value.
  ///   - isReal: True if the declared type of the column is `REAL`: there SQLite keeps no sign of
  ///     zero, no integers, and nothing for NaN.
  ///   - graph: the graph of the archive that the value stands in.
  /// - Returns: True if it is the value, to the last bit.
  mutating func isEqual(
    _ found: csq_value, _ expected: ExpectedValue, isReal: Bool, _ graph: any ObjectGraph
  ) -> Bool {
    switch expected {
    case .unknown: true
    case .nothing: unsafe found.kind == csq_kind_null
    case .integer(let value): unsafe Self.isEqual(found, value, isReal)
    case .text(let text): unsafe Self.isEqual(found, text)
    case .value(.real(let value)): unsafe Self.isEqual(found, value, isReal)
    case .value(let value): unsafe Self.isEqual(found, StoredValue(value), isReal)
    case .archived(let value): unsafe isEqual(found, value, isReal, graph)
    }
  }

  private mutating func isEqual(
    _ found: csq_value, _ expected: GraphValue, _ isReal: Bool, _ graph: any ObjectGraph
  ) -> Bool {
    switch expected {
    case .null, .nsNull, .object, .collection:
      return unsafe found.kind == csq_kind_null
    case .bool(let value):
      return unsafe Self.isEqual(found, value ? 1 as Int64 : 0, isReal)
    case .integer(let value):
      return unsafe Self.isEqual(found, value, isReal)
    case .real(let value):
      return unsafe Self.isEqual(found, value, isReal)
    case .text(let text):
      guard unsafe found.kind == csq_kind_text else { return false }
      guard text.encoding == .utf16 else { return unsafe Self.isEqual(found, text.bytes) }
      return unsafe isEqual(found, utf16: text.bytes)
    case .data(let bytes):
      return unsafe found.kind == csq_kind_blob && Self.isEqual(found, bytes)
    case .date(let seconds):
      return unsafe isEqual(found, date: seconds)
    case .uuid(let bytes):
      return unsafe isEqual(found, uuid: bytes)
    default:
      return unsafe Self.isEqual(found, StoredValue(expected, graph), isReal)
    }
  }

  private mutating func isEqual(_ found: csq_value, utf16 bytes: BorrowedBytes) -> Bool {
    let most = bytes.count / 2 * 3
    guard unsafe found.count <= most else { return false }
    write(upTo: most) { _ = UTF16Text.transcode(bytes, into: &$0) }
    return unsafe isWritten(found)
  }

  /// True if a cell names an instant: in the one form that is written, and so that reading it gives
  /// back the same double.
  private mutating func isEqual(_ found: csq_value, date seconds: Double) -> Bool {
    guard unsafe found.kind == csq_kind_text else { return false }
    var isUsual = false
    write(upTo: DateText.usualSize) {
      isUsual = DateText.writeUsual(secondsSince2001: seconds, into: &$0)
    }
    guard
      unsafe isUsual
        ? isWritten(found) : Self.isEqual(found, DateText.text(secondsSince2001: seconds))
    else { return false }
    // What no calendar reaches is written as a number.
    guard abs(seconds) < 9_007_199_254_740_992 else { return true }
    return unsafe InstantText.seconds(Self.bytes(found).buffer) == seconds
  }

  /// True if a cell is the text of a UUID, in upper case.
  private mutating func isEqual(_ found: csq_value, uuid bytes: BorrowedBytes) -> Bool {
    guard unsafe found.kind == csq_kind_text else { return false }
    write(upTo: Self.uuidSize) { span in
      func put(digit: UInt8) { span.append(digit < 10 ? 0x30 + digit : 0x37 + digit) }
      for place in 0..<min(16, bytes.count) {
        let byte = bytes[place]
        if place == 4 || place == 6 || place == 8 || place == 10 { span.append(0x2D) }
        put(digit: byte >> 4)
        put(digit: byte & 0xF)
      }
    }
    return unsafe isWritten(found)
  }

  /// Writes a text out.
  @inline(__always)
  private mutating func write(upTo size: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    if space.count < size { space = [UInt8](repeating: 0, count: size) }
    written = unsafe space.withUnsafeMutableBufferPointer { buffer in
      var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      write(&span)
      return unsafe span.finalize(for: buffer)
    }
  }

  /// True if a cell has the bytes that were written.
  private func isWritten(_ found: csq_value) -> Bool {
    space.withBorrowedBytes { unsafe Self.isEqual(found, $0.part(0..<written)) }
  }

  // MARK: Stored values

  private static func isEqual(_ found: csq_value, _ expected: StoredValue, _ isReal: Bool) -> Bool {
    switch expected {
    case .null: unsafe found.kind == csq_kind_null
    case .integer(let value): unsafe isEqual(found, value, isReal)
    case .real(let value): unsafe isEqual(found, value, isReal)
    case .text(let text): unsafe isEqual(found, text)
    case .blob(let data):
      unsafe found.kind == csq_kind_blob
        && data.withUnsafeBytes { unsafe isEqual(found, BorrowedBytes($0)) }
    }
  }

  private static func isEqual(_ found: csq_value, _ expected: Int64, _ isReal: Bool) -> Bool {
    if isReal {
      return unsafe found.kind == csq_kind_real && found.real == Double(expected)
    }
    return unsafe found.kind == csq_kind_integer && found.integer == expected
  }

  private static func isEqual(_ found: csq_value, _ expected: Double, _ isReal: Bool) -> Bool {
    // SQLite turns NaN into NULL; so it is a text, where the column holds one.
    if expected.isNaN {
      return unsafe isReal ? found.kind == csq_kind_null : isEqual(found, "NaN")
    }
    guard unsafe found.kind == csq_kind_real else { return false }
    if expected == 0, isReal { return unsafe found.real == 0 }
    return unsafe found.real.bitPattern == expected.bitPattern
  }

  /// True if a cell is a text.
  static func isEqual(_ found: csq_value, _ expected: String) -> Bool {
    guard unsafe found.kind == csq_kind_text, unsafe found.count == expected.utf8.count else {
      return false
    }
    var expected = expected
    return expected.withUTF8 { unsafe isEqual(found, BorrowedBytes(.init($0))) }
  }

  private static func isEqual(_ found: csq_value, _ expected: BorrowedBytes) -> Bool {
    unsafe bytes(found).hasSameBytes(as: expected)
  }

  /// The bytes of a text or blob, which SQLite keeps until the next step.
  private static func bytes(_ found: csq_value) -> BorrowedBytes {
    unsafe BorrowedBytes(.init(start: found.bytes, count: found.bytes == nil ? 0 : found.count))
  }
}
