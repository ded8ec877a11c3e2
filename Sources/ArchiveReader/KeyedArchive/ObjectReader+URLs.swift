import Foundation

// URLs, which may stand on a chain of others.
extension ObjectReader {
  /// The absolute text of an NSURL; nil if it or its bases hold anything that the text would lose.
  ///
  /// A base may be of the class of the URL itself, which may be read as an NSURL by another name.
  package func urlText(_ uid: Int) -> String? {
    var relatives: [String] = []
    var next = uid
    var ownRecord: Int?
    for _ in 0..<limits.chain {
      guard let node = try? entry(next),
        case .dictionary(let keys, let values) = table.value(of: node),
        let record = classRecord(keys, values),
        record == ownRecord ?? record || (try? knownClass(ofRecord: record)) == .url,
        case .url(let base, let relative) = form(of: .url, keys, values),
        let text = exactText(of: table[values, relative])
      else { return nil }
      relatives.append(text)
      ownRecord = ownRecord ?? record
      guard case .uid(let baseUID) = table.value(of: table[values, base]),
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
  /// is no URL, or only one with other characters.
  ///
  /// A URL without a base is its own text, whatever it is.
  private static func resolve(_ parts: [String]) -> String? {
    guard var text = parts.first else { return nil }
    for relative in parts.dropFirst() {
      guard let base = URL(string: text), base.scheme != nil, base.absoluteString == text,
        let url = URL(string: relative, relativeTo: base), url.relativeString == relative
      else { return nil }
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

  /// A text, bare or wrapped; nil for anything else, and where a string cannot hold it.
  private func exactText(of node: Node) -> String? {
    if let text = try? plainText(of: node) { return table.borrowed(text).exactString }
    guard let uid = table.uid(of: node), case .text(let text)? = try? wrappedValue(uid)?.value
    else { return nil }
    return table.borrowed(text).exactString
  }
}
