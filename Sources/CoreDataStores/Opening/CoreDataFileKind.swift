import ArchiveReader
import Foundation
import GraphCore
import Support

/// The kind of Core Data store that a file may be, told by its first bytes.
package enum CoreDataFileKind: Hashable, Sendable {
  /// A database of SQLite: its tables tell whether it is a store.
  case sqlite
  /// A store in XML.
  case xml
  /// A binary store.
  case binary

  /// The kind of store that a file begins as; nil if it begins as none.
  ///
  /// Mapping models, which are stored in the same way, are none.
  ///
  /// - Parameter head: The file's first bytes.
  package init?(_ head: FileHead) {
    if head.isDatabase {
      self = .sqlite
    } else if head.starts(with: "CoreData") {
      self = .binary
    } else if FileKind(head) == .xml, Self.isStore(head) {
      self = .xml
    } else {
      return nil
    }
  }

  /// The kind of store that a file begins as; nil if it begins as none, or cannot be read.
  init?(ofFileAt path: String) {
    guard let file = try? FileSystem.open(path) else { return nil }
    defer { close(file) }
    guard let head = try? FileHead(of: file) else { return nil }
    self.init(head)
  }

  /// The files next to a store of the kind that hold a part of what it says.
  package func companions(at path: String) -> [String] {
    self == .sqlite ? StoreSnapshot.journals(of: path) : []
  }

  /// True if the root of a document is that of a store.
  private static func isStore(_ head: FileHead) -> Bool {
    // Without zeros, UTF-16 is ASCII here.
    let text = head.bytes.filter { $0 != 0 }[...]
    guard let root = root(of: text), name(root) == "database" else { return false }
    return !isMappingModel(root)
  }

  /// The name after the "<" of a tag.
  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    let name = tag.dropFirst().prefix { byte in
      byte > 0x20 && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The document from the tag of its root on; nil where what is there does not reach as far.
  private static func root(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[mark...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = rest.end(of: "-->") else { return nil }
        rest = rest[end...]
      } else if rest.starts(with: "<?".utf8) {
        guard let end = rest.end(of: "?>") else { return nil }
        rest = rest[end...]
      } else if rest.starts(with: "<!".utf8) {
        guard let end = endOfDocumentType(rest) else { return nil }
        rest = rest[end...]
      } else {
        return rest
      }
    }
    return nil
  }

  /// The end of a document type, with the declarations that may be in its brackets.
  private static func endOfDocumentType(_ text: ArraySlice<UInt8>) -> Int? {
    var quote: UInt8?
    var depth = 0
    for (place, byte) in zip(text.indices, text) {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: "[") where quote == nil: depth += 1
      case UInt8(ascii: "]") where quote == nil: depth -= 1
      case UInt8(ascii: ">") where quote == nil && depth <= 0: return place + 1
      default: break
      }
    }
    return nil
  }

  /// True if a document is a mapping model: all entities of those are named alike.
  private static func isMappingModel(_ text: ArraySlice<UInt8>) -> Bool {
    text.end(of: "<key>XDDev") != nil || text.end(of: "type=\"XDDEV") != nil
  }
}

extension ArraySlice<UInt8> {
  /// The end of the first occurrence of some characters; nil if they are not there.
  fileprivate func end(of characters: String) -> Int? {
    let pattern = Array<UInt8>(characters.utf8)
    return indices.first { self[$0] == pattern[0] && self[$0...].starts(with: pattern) }
      .map { $0 + pattern.count }
  }
}
