import ArchiveWriter
import Foundation

extension Surplus {
  /// The text with half of a character.
  var halfText: PropertyListValue { .utf16(Array(value.utf16) + [0xD800]) }

  /// The bytes of a transformable attribute that has it.
  var transformable: Data {
    var archive = KeyedArchiveBuilder.archive { archive in
      kind == .surrogate ? archive.add(halfText) : archive.array([archive.string("in \(name)")])
    }
    if kind == .furtherTop { archive.setTop(name, archive.string(value)) }
    if kind == .unreachable { _ = archive.string(value) }
    return archive.binary(with: kind == .outermost ? [KeyValue(name, .string(value))] : [])
  }

  /// Whether a cell of a store has the value, in any form that lets it be restored.
  func isKept(in cell: Cell) -> Bool {
    switch cell {
    case .text(let text): kind != .surrogate && text.contains(value)
    case .blob(let bytes):
      bytes.contains(
        kind == .surrogate
          ? Array(value.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) + [0xD8, 0]
          : Array(value.utf8))
    default: false
    }
  }
}

extension KeyedArchiveBuilder {
  /// The archive in the binary form, with keys beside those of every archive.
  func binary(with keys: [KeyValue]) -> Data {
    guard case .dictionary(let pairs) = propertyList(), !keys.isEmpty else { return binary() }
    return BinaryPropertyListWriter().data(for: .dictionary(pairs + keys))
  }
}
