internal import CSQLite
import DataModel
import Foundation
import GraphCore

extension SQLiteStoreGraph {
  /// Turns what a column holds into the value of an attribute, by the type that the model gives it.
  ///
  /// A value that the type does not have is an error, never guessed at.
  enum ValueDecoder {
    /// The value of an attribute.
    ///
    /// - Parameters:
    ///   - cell: The content of the column.
    ///   - type: The type of the attribute.
    /// - Returns: The value, whose bytes are those of the cell.
    /// - Throws: `ArchiveError`, without a position.
    static func value(
      _ cell: StoredRow.Cell, _ type: AttributeType
    ) throws(ArchiveError) -> GraphValue {
      if cell.kind == csq_kind_null { return .null }
      switch type {
      case .boolean:
        guard cell.kind == csq_kind_integer else { throw wrong("a Boolean") }
        try type.check(cell.integer)
        return .bool(cell.integer == 1)
      case .integer16, .integer32, .integer:
        guard cell.kind == csq_kind_integer else { throw wrong("an integer") }
        try type.check(cell.integer)
        return .integer(cell.integer)
      case .double, .float:
        let number = try number(cell, "a number")
        try type.check(number)
        return .real(number)
      case .date: return .date(try number(cell, "a date"))
      case .decimal: return .decimal(try decimal(cell))
      case .string: return .text(try text(cell))
      case .uri: return .url(try text(cell))
      case .uuid:
        guard cell.kind == csq_kind_blob, cell.bytes.count == 16 else { throw wrong("a UUID") }
        return .uuid(cell.bytes)
      case .binary, .transformable:
        guard cell.kind == csq_kind_blob else { throw wrong("data") }
        return .data(cell.bytes)
      case .mixed: return stored(cell)
      case .objectID, .composite, .undefined, .json, .attributedText, .unknown:
        throw wrong("of a type that a store keeps")
      }
    }

    /// The number or date that a text is; nil for other types.
    static func value(ofText bytes: BorrowedBytes, _ type: AttributeType) -> GraphValue? {
      let text = String(decoding: Array(bytes), as: UTF8.self)
      return switch type {
      case .double, .float: Double(text).map { .real($0) }
      case .date: Double(text).map { .date($0) }
      case .decimal: ArchivedDecimal(text: text).map { .decimal($0) }
      default: nil
      }
    }

    /// The value as it is stored; the bytes of a text that is not in UTF-8.
    private static func stored(_ cell: StoredRow.Cell) -> GraphValue {
      switch cell.kind {
      case csq_kind_integer: .integer(cell.integer)
      case csq_kind_real: .real(cell.real)
      case csq_kind_text where cell.bytes.isUTF8:
        .text(BorrowedText(bytes: cell.bytes, encoding: .utf8))
      case csq_kind_text, csq_kind_blob: .data(cell.bytes)
      default: .null
      }
    }

    private static func wrong(_ kind: String) -> ArchiveError {
      ArchiveError(.wrongKind, name: kind)
    }

    /// A double, of which SQLite keeps whole ones as integers.
    private static func number(
      _ cell: StoredRow.Cell, _ kind: String
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
    private static func text(_ cell: StoredRow.Cell) throws(ArchiveError) -> BorrowedText {
      guard cell.kind == csq_kind_text else { throw wrong("text") }
      guard cell.bytes.isUTF8 else { throw wrong("text in UTF-8") }
      return BorrowedText(bytes: cell.bytes, encoding: .utf8)
    }

    // MARK: Decimals

    /// A decimal: of a real, the shortest one that gives the same double; the store holds no more.
    private static func decimal(_ cell: StoredRow.Cell) throws(ArchiveError) -> ArchivedDecimal {
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
        guard cell.bytes.elementsEqual("NaN".utf8) else { throw wrong("a decimal") }
        return .notANumber
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
      guard (-128...127).contains(exponent) || mantissa == 0 else {
        return ArchivedDecimal(text: "\(number)")
      }
      return ArchivedDecimal(
        mantissa: mantissa, exponent: mantissa == 0 ? 0 : Int16(exponent), isNegative: number < 0)
    }
  }
}
