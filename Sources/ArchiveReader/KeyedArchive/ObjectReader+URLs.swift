import Foundation

// URLs, which may stand on a chain of others.
extension ObjectReader {
  /// The absolute text of an NSURL, or nil if its chain of bases is not one of URLs.
  package func urlText(_ uid: Int) -> String? {
    var relatives: [String] = []
    var next = uid
    for _ in 0..<limits.chain {
      guard let node = try? entry(next),
        case .dictionary(let keys, let values) = table.value(of: node),
        let relative = text(under: "NS.relative", keys, values)
      else { return nil }
      relatives.append(relative)
      guard let base = position(of: "NS.base", keys),
        case .uid(let baseUID) = table.value(of: table[values, base]),
        let entry = try? entry(baseUID)
      else { return nil }
      if case .text(let text) = table.value(of: entry), isNull(text) {
        return Self.resolve(relatives.reversed())
      }
      next = baseUID
    }
    return nil
  }

  /// The absolute text of a relative URL and its bases, the base first, or nil where one of several
  /// is no URL.
  ///
  /// A URL without a base is its own text, whatever it is.
  private static func resolve(_ parts: [String]) -> String? {
    guard var text = parts.first else { return nil }
    for relative in parts.dropFirst() {
      guard let base = URL(string: text), let url = URL(string: relative, relativeTo: base) else {
        return nil
      }
      text = url.absoluteString
    }
    return text
  }

  func position(of key: StaticString, _ keys: Node.Run) -> Int? {
    (0..<keys.count).first { position in
      guard let text = table.text(at: table.offset(of: table[keys, position])) else { return false }
      guard case .utf8 = text.encoding else { return table.string(text) == "\(key)" }
      let bytes = table.borrowed(text.bytes)
      return key.withUTF8Buffer {
        unsafe bytes.elementsEqual($0)
      }
    }
  }

  private func text(under key: StaticString, _ keys: Node.Run, _ values: Node.Run) -> String? {
    guard let position = position(of: key, keys) else { return nil }
    let node = table[values, position]
    if let text = try? plainText(of: node) { return table.string(text) }
    guard let uid = table.uid(of: node), case .text(let text)? = try? wrappedValue(uid)?.value
    else { return nil }
    return table.string(text)
  }
}
