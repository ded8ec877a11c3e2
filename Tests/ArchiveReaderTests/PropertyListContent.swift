import ArchiveReader
import ArchiveWriter
import Foundation

extension PropertyList {
  /// What the list holds, in the words of the writer, so that tests can compare it whole.
  ///
  /// Texts with an unpaired surrogate are `.utf16`; integers beyond 64 bits are told by
  /// `wideInteger`.
  var content: PropertyListValue { content(of: top) }

  private func content(of node: Node) -> PropertyListValue {
    func all(_ run: Node.Run) -> [PropertyListValue] {
      (0..<run.count).map { content(of: table[run, $0]) }
    }
    switch table.value(of: node) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let offset):
      let value = table.wideInteger(at: offset)
      return UInt64(exactly: value).map { .unsigned($0) } ?? .string("wide \(value)")
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(seconds)
    case .data(let range): return .data(Data(table.bytes(range)))
    case .text(let text): return content(of: text)
    case .uid(let uid): return .uid(UInt32(uid))
    case .array(let run): return .array(all(run))
    case .set(let run): return .set(all(run))
    case .dictionary(let keys, let values):
      let names = (0..<keys.count).map { table.string(at: table[keys, $0]) ?? "?" }
      return .dictionary(zip(names, all(values)).map { KeyValue($0, $1) })
    }
  }

  private func content(of text: Text) -> PropertyListValue {
    let string = table.string(text)
    guard text.encoding == .utf16, string.unicodeScalars.contains("\u{FFFD}") else {
      return .string(string)
    }
    let bytes = Array(table.bytes(text.bytes))
    return .utf16(
      stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    )
  }

  /// The real number or date that the whole list is.
  var double: Double? {
    switch table.value(of: top) {
    case .real(let value), .date(let value): value
    default: nil
    }
  }

  /// The text that the whole list is, byte for byte.
  var textBytes: [UInt8]? {
    guard case .text(let text) = table.value(of: top) else { return nil }
    return Array(table.bytes(text.bytes))
  }
}
