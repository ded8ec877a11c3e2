import CoreDataStores
import Foundation
import GraphCore

/// What a store holds, in words: a line for each object, with its values by name.
struct StoreReading {
  private let source: any GraphSource
  private let graph: any ObjectGraph

  init(_ source: any GraphSource, _ options: GraphOptions = GraphOptions()) {
    self.source = source
    graph = source.makeGraph(options)
  }

  /// The objects, without values that are nil and collections that are empty.
  var lines: [String] {
    (0..<source.objectCount).compactMap { uid in
      do throws(ArchiveError) {
        guard case .object(_, let id) = try graph.value(ofObject: uid) else { return nil }
        let object = try graph.object(uid)
        let pairs = graph.keys(ofShape: object.shape).enumerated().compactMap { position, key in
          key == "$class" ? nil : pair(key, of: object, at: position)
        }
        return (["\(uid) \(graph.classes[id.index].name)"] + pairs).joined(separator: " ")
      } catch {
        return "\(uid): \(error)"
      }
    }
  }

  private func pair(_ key: String, of object: GraphObject, at position: Int) -> String? {
    do throws(ArchiveError) {
      let words = try words(try graph.value(of: object, at: position))
      return words == "nil" || words == "{}" || words == "[]" ? nil : "\(key)=\(words)"
    } catch {
      return "\(key)=<\(error)>"
    }
  }

  /// A value in words: texts in quotes, data in hexadecimal digits.
  func words(_ value: GraphValue) throws(ArchiveError) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .wideInteger(let wide): "\(wide.value)"
    case .real(let value): "\(value)"
    case .date(let seconds): "@\(seconds)"
    case .text(let text):
      text.exactString.map { "\"\($0)\"" } ?? UTF16Text.escaped(text.bytes)
    case .data(let bytes): "<\(Data(bytes.buffer).map { String(format: "%02x", $0) }.joined())>"
    case .uuid(let bytes): UUIDText.text(bytes)
    case .decimal(let decimal): "\(decimal.text)d"
    case .url(let text): "<\(text.string)>"
    case .relativeURL(let uid): "<\(graph.urlText(uid) ?? "none")>"
    case .nsNull: "NSNull"
    case .className(let id): "class \(graph.classes[id.index].name)"
    case .foundation(let uid, _): try graph.foundationValue(uid)?.json ?? "none"
    case .object(let uid, _): "#\(uid)"
    case .collection(let id, let kind): try words(id, kind)
    }
  }

  private func words(
    _ id: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> String {
    let elements = try graph.elements(of: id, kind)
    var found: [String] = []
    for position in 0..<elements.count {
      let value = try words(try graph.value(of: elements, at: position))
      let key = kind.isKeyed ? try words(try graph.key(of: elements, at: position)) + ": " : ""
      found.append(key + value)
    }
    let text = found.joined(separator: " ")
    return kind.isOrdered ? "[\(text)]" : "{\(text)}"
  }
}
