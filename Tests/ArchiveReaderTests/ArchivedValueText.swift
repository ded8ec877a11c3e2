import ArchiveReader
import Foundation

extension ObjectGraph {
  /// A value in words, so that tests can compare it whole: collections with their elements,
  /// objects by class and UID.
  func text(of value: GraphValue, depth: Int = 0) throws(ArchiveError) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .wideInteger(let wide): return "wide \(wide.value)"
    case .real(let value): return "real \(value)"
    case .date(let seconds): return "date \(seconds)"
    case .text(let text): return "'\(text.string)'"
    case .data(let bytes): return "<\(bytes.buffer.map { Self.hexadecimal($0) }.joined())>"
    case .uuid(let bytes): return UUIDText.text(bytes)
    case .decimal(let decimal): return "decimal \(decimal.text)"
    case .url(let text): return "url \(text.string)"
    case .relativeURL(let uid): return "url \(urlText(uid) ?? "?")"
    case .nsNull: return "NSNull"
    case .className(let id): return "class \(classes[id.index].name)"
    case .foundation(let uid, _): return try foundationValue(uid)?.json ?? "?"
    case .object(let uid, let id): return "\(classes[id.index].name)#\(uid)"
    case .collection(let id, let kind):
      guard depth < 8 else { return "…" }
      return try "\(kind.rawValue)(\(text(of: id, kind, depth: depth)))"
    }
  }

  private func text(
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
  func text(ofObject uid: Int) throws(ArchiveError) -> String {
    let object = try object(uid)
    var texts: [String] = []
    for (position, key) in keys(ofShape: object.shape).enumerated() where key != "$class" {
      texts.append("\(key): \(try text(of: try value(of: object, at: position)))")
    }
    return "\(classes[object.class.index].name)(\(texts.joined(separator: ", ")))"
  }

  /// The names of the classes with objects that fit no form of theirs, sorted.
  var misfitNames: [String] { nonconformingClasses.map { classes[$0.index].name }.sorted() }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}

extension KeyedArchive {
  /// The values of `$top` in words, by their keys as archived.
  func topTexts() throws(ArchiveError) -> [String] {
    let reader = self.makeGraph(GraphOptions(readsFoundationValues: false))
    var texts: [String] = []
    for entry in roots {
      texts.append("\(entry.key): \(try reader.text(of: try reader.value(of: entry)))")
    }
    return texts
  }
}
