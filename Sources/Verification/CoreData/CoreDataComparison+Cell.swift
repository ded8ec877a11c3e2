import ArchiveReader
import DataModel
import Foundation
import Stores

extension CoreDataComparison {
  /// When a cell of a Core Data store says what one of the relational layout does.
  enum Cell {
    static func isEqual(_ found: StoredValue, _ expected: StoredValue, _ attribute: Attribute)
      -> Bool
    {
      if expected == .null { return found == .null }
      switch attribute.type {
      case .boolean, .integer16, .integer32, .integer, .string, .uri: return found == expected
      case .double, .float:
        // A column of reals has nothing for NaN.
        guard let value = number(expected) else {
          return expected == .text("NaN") && found == .null
        }
        return number(found) == value
      case .decimal:
        if expected == .text("NaN") { return found == expected }
        guard case .text(let text) = expected, let value = Double(text), value.isFinite else {
          return found == .null
        }
        return number(found) == value
      case .date:
        // Seconds that no calendar reaches are a plain number; none of them is NaN in a store.
        guard case .text(let text) = expected,
          let seconds = InstantText.seconds(Array(text.utf8)) ?? Double(text), !seconds.isNaN
        else { return found == .null }
        return number(found) == seconds
      case .uuid:
        guard case .text(let text) = expected, case .blob(let data) = found else { return false }
        return bytes(ofUUID: text) == Array(data)
      case .binary:
        guard case .blob(let whole) = expected else { return false }
        return bytes(found, attribute) == whole
      case .transformable:
        guard let data = bytes(found, attribute) else { return false }
        if case .blob(let whole) = expected, attribute.archivedType == nil { return data == whole }
        return root(of: data) == expected
      case .objectID, .composite, .undefined, .json, .attributedText, .mixed, .unknown:
        return false
      }
    }

    /// The bytes in a cell, without the one that says that they are in the row itself; nil if there
    /// are none.
    private static func bytes(_ found: StoredValue, _ attribute: Attribute) -> Data? {
      guard case .blob(let data) = found else { return nil }
      guard attribute.allowsExternalBinaryDataStorage else { return data }
      return data.first == 1 ? Data(data.dropFirst()) : nil
    }

    private static func number(_ value: StoredValue) -> Double? {
      switch value {
      case .integer(let number): Double(number)
      case .real(let number): number
      default: nil
      }
    }

    /// The 16 bytes that the text of a UUID names; nil if it names none.
    private static func bytes(ofUUID text: String) -> [UInt8]? {
      let digits = text.utf8.filter { $0 != 0x2D }
      guard digits.count == 32 else { return nil }
      let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      guard values.count == 32 else { return nil }
      return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// The plain value that is archived in data; nil if it is no archive of one.
    private static func root(of data: Data) -> StoredValue? {
      guard let archive = try? KeyedArchive(bytes: data),
        let root = archive.roots.first(where: { $0.key == "root" })
      else { return nil }
      return withExtendedLifetime(archive) {
        let graph = archive.makeGraph(GraphOptions(readsFoundationValues: false))
        guard let value = try? graph.value(of: root) else { return nil }
        return StoredValue(value, graph)
      }
    }
  }
}
