import ArchiveReader
import Foundation

extension ObjectReader {
  /// A value in words, so that tests can compare it whole: collections with their elements,
  /// objects by class and UID.
  mutating func text(of value: ArchivedValue, depth: Int = 0) throws(ArchiveError) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .wideInteger(let offset): return "wide \(table.wideInteger(at: offset))"
    case .real(let value): return "real \(value)"
    case .date(let seconds): return "date \(seconds)"
    case .text(let text): return "'\(table.string(text))'"
    case .data(let range): return "<\(table.bytes(range).map { Self.hexadecimal($0) }.joined())>"
    case .uuid(let range): return UUIDText.text(table.bytes(range))
    case .decimal(let decimal): return "decimal \(decimal.text)"
    case .url(let uid): return "url \(urlText(uid) ?? "?")"
    case .nsNull: return "NSNull"
    case .className(let id): return "class \(classes[id.index].name)"
    case .foundation(let uid, _): return try foundationValue(uid)?.json ?? "?"
    case .object(let uid, let id): return "\(classes[id.index].name)#\(uid)"
    case .collection(let id, let kind):
      guard depth < 8 else { return "…" }
      return try "\(kind.rawValue)(\(text(of: id, kind, depth: depth)))"
    }
  }

  private mutating func text(
    of collection: CollectionID, _ kind: CollectionKind, depth: Int
  ) throws(ArchiveError) -> String {
    let elements = try elements(of: collection, kind)
    var texts: [String] = []
    for position in 0..<elements.count {
      var text = try text(of: try value(of: elements, at: position), depth: depth + 1)
      if kind.isKeyed {
        let key = try key(of: elements, at: position)
        text = try "\(self.text(of: key, depth: depth + 1)): \(text)"
      }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  /// The keys of an object and their values, the class left out.
  mutating func text(ofObject uid: Int) throws(ArchiveError) -> String {
    let object = try object(uid)
    var texts: [String] = []
    for (position, key) in shapes[object.shape].keys.enumerated() where key != "$class" {
      texts.append("\(key): \(try text(of: try value(of: object, at: position)))")
    }
    return "\(classes[object.class.index].name)(\(texts.joined(separator: ", ")))"
  }

  /// The names of the classes with objects that fit no form of theirs, sorted.
  var misfitNames: [String] { misfits.map { classes[$0.index].name }.sorted() }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}

extension KeyedArchive {
  /// The values of `$top` in words, by their keys as archived.
  func topTexts() throws(ArchiveError) -> [String] {
    var reader = ObjectReader(self)
    var texts: [String] = []
    for entry in topLevel {
      texts.append("\(entry.key): \(try reader.text(of: try reader.value(of: entry)))")
    }
    return texts
  }
}
