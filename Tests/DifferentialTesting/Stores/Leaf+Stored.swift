import ArchiveWriter
import DataModel
import Foundation

extension Leaf {
  /// The archive that a transformable attribute holds.
  var archive: KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { encoded(isBoxed: true, &$0) }
  }

  /// The value as SQL has it in a Core Data store.
  func sql(_ type: AttributeType) -> String {
    func blob(_ bytes: some Sequence<UInt8>) -> String {
      "x'\(bytes.map { String(format: "%02X", $0) }.joined())'"
    }
    switch (type, self) {
    case (.transformable, _): return blob(archive.binary())
    case (_, .date(let eighths, _)): return "\(Double(eighths) / 8)"
    case (_, .decimal): return cell.text ?? "NULL"
    case (_, .uuid(let number, _)): return blob(Leaf.bytes(ofUUID: number))
    default: break
    }
    switch cell {
    case .null: return "NULL"
    case .integer(let value): return "\(value)"
    case .realBits(let bits): return "\(Double(bitPattern: bits))"
    case .text(let text): return "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes): return blob(bytes)
    }
  }

  /// The value as an XML store has it.
  func xml(_ type: AttributeType) -> String {
    switch (type, self) {
    case (.transformable, _): return archive.binary().base64EncodedString()
    case (_, .date(let eighths, _)): return "\(Double(eighths) / 8)"
    default: break
    }
    switch cell {
    case .null: return ""
    case .integer(let value): return "\(value)"
    case .realBits(let bits): return "\(Double(bitPattern: bits))"
    case .text(let text):
      return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    case .blob(let bytes): return Data(bytes).base64EncodedString()
    }
  }
}
