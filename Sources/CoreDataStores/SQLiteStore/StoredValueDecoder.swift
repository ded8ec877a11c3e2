internal import CSQLite
import DataModel
import Foundation
import GraphCore

/// Turns what a column holds into the value of an attribute, by the type that the model gives it.
///
/// A value that the type does not have is an error, never guessed at.
enum StoredValueDecoder {
  /// The value of an attribute.
  ///
  /// - Parameters:
  ///   - cell: What the column holds.
  ///   - type: The type of the attribute.
  /// - Returns: The value, whose bytes are those of the cell.
  /// - Throws: `ArchiveError`, without a position.
  static func value(
    _ cell: csq_cell, _ type: AttributeType
  ) throws(ArchiveError) -> GraphValue {
    if cell.kind == csq_kind_null { return .null }
    switch type {
    case .boolean:
      guard cell.kind == csq_kind_integer else { throw wrong("a Boolean") }
      // Programs that store other numbers as Booleans keep what they stored.
      return cell.integer == 0 || cell.integer == 1
        ? .bool(cell.integer == 1) : .integer(cell.integer)
    case .integer16, .integer32, .integer:
      guard cell.kind == csq_kind_integer else { throw wrong("an integer") }
      return .integer(cell.integer)
    case .double, .float: return .real(try number(cell, "a number"))
    case .date: return .date(try number(cell, "a date"))
    case .decimal: return .decimal(try decimal(cell))
    case .string: return .text(try text(cell))
    case .uri: return .url(try text(cell))
    case .uuid:
      guard cell.kind == csq_kind_blob, cell.count == 16 else { throw wrong("a UUID") }
      return .uuid(cell.borrowed)
    case .binary, .transformable:
      guard cell.kind == csq_kind_blob else { throw wrong("data") }
      return .data(cell.borrowed)
    case .objectID, .composite, .undefined, .json, .attributedText, .mixed, .unknown:
      throw wrong("of a type that a store keeps")
    }
  }

  private static func wrong(_ kind: String) -> ArchiveError { ArchiveError(.wrongKind, name: kind) }

  /// A double, of which SQLite keeps whole ones as integers.
  private static func number(
    _ cell: csq_cell, _ kind: String
  ) throws(ArchiveError) -> Double {
    switch cell.kind {
    case csq_kind_real: return cell.real
    case csq_kind_integer:
      guard let exact = Double(exactly: cell.integer) else {
        throw ArchiveError(.outOfRange, name: kind)
      }
      return exact
    default: throw wrong(kind)
    }
  }

  /// A text, whose bytes have to be UTF-8.
  private static func text(_ cell: csq_cell) throws(ArchiveError) -> BorrowedText {
    guard cell.kind == csq_kind_text else { throw wrong("text") }
    let bytes = cell.borrowed
    guard bytes.buffer.isUTF8 else { throw wrong("text in UTF-8") }
    return BorrowedText(bytes: bytes, encoding: .utf8)
  }

  // MARK: Decimals

  /// A decimal: of a real, the shortest one that gives the same double; the store holds no more.
  private static func decimal(_ cell: csq_cell) throws(ArchiveError) -> ArchivedDecimal {
    switch cell.kind {
    case csq_kind_integer:
      return ArchivedDecimal(
        mantissa: cell.integer.magnitude, exponent: 0, isNegative: cell.integer < 0)
    case csq_kind_real:
      guard let decimal = decimal(cell.real) else {
        throw ArchiveError(.outOfRange, name: "a decimal")
      }
      return decimal
    case csq_kind_text:
      // What Core Data writes for notANumber.
      guard cell.borrowed.buffer.elementsEqual("NaN".utf8),
        let notANumber = ArchivedDecimal(
          exponent: 0, length: 0, isNegative: true,
          mantissa: UnsafeRawBufferPointer(start: nil, count: 0), isBigEndian: false)
      else { throw wrong("a decimal") }
      return notANumber
    default: throw wrong("a decimal")
    }
  }

  /// The shortest decimal of a double; nil where there is none that archives hold.
  static func decimal(_ number: Double) -> ArchivedDecimal? {
    guard number.isFinite else { return nil }
    // Swift writes the shortest digits: "12.5", "1e+20", "1.5e-07".
    var mantissa: UInt64 = 0
    var exponent = 0
    var isFraction = false
    var text = "\(number.magnitude)"[...]
    while let character = text.popFirst() {
      if character == "e" {
        guard let power = Int(text) else { return nil }
        exponent += power
        break
      }
      guard let digit = character.wholeNumberValue else {
        isFraction = true
        continue
      }
      // There are 17 digits at most, zeros before a point aside.
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      guard !overflow, !carry else { return nil }
      mantissa = sum
      if isFraction { exponent -= 1 }
    }
    while mantissa > 0, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      exponent += 1
    }
    guard (-128...127).contains(exponent) || mantissa == 0 else { return nil }
    return ArchivedDecimal(
      mantissa: mantissa, exponent: mantissa == 0 ? 0 : Int16(exponent), isNegative: number < 0)
  }
}

extension csq_cell {
  /// The bytes of a text or blob.
  var borrowed: BorrowedBytes {
    guard let bytes else { return .none }
    return BorrowedBytes(start: bytes, count: Int(count))
  }
}

extension BorrowedBytes {
  /// The bytes of memory.
  init(_ memory: UnsafeRawBufferPointer) {
    guard let start = memory.baseAddress else {
      self = .none
      return
    }
    self.init(start: start, count: memory.count)
  }

  /// No bytes.
  static var none: BorrowedBytes {
    let nothing: StaticString = ""
    return BorrowedBytes(start: UnsafeRawPointer(nothing.utf8Start), count: 0)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are valid UTF-8.
  ///
  /// - Complexity: Linear; for ASCII without memory.
  var isUTF8: Bool {
    var offset = 0
    while offset + 8 <= count {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { break }
      offset += 8
    }
    while offset < count, self[offset] < 0x80 { offset += 1 }
    guard offset < count else { return true }
    let rest = UnsafeRawBufferPointer(rebasing: self[offset...])
    return String(validating: rest, as: UTF8.self) != nil
  }
}
