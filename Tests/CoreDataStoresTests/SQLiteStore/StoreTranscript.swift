import CoreDataStores
import Foundation
import GraphCore

/// All objects of a store in words, a line for each.
struct StoreTranscript {
  private let source: SQLiteStoreSource
  private let graph: any ObjectGraph

  init(_ source: SQLiteStoreSource) {
    self.source = source
    graph = source.makeGraph(GraphOptions())
  }

  /// The lines; an error stands in the place of what cannot be read.
  var text: String { (0..<source.objectCount).map(line).joined(separator: "\n") }

  private func line(_ uid: Int) -> String {
    do throws(ArchiveError) {
      let object = try graph.object(uid)
      let keys = graph.keys(ofShape: object.shape)
      let values = keys.indices.map { position in
        do throws(ArchiveError) {
          return "\(keys[position])=\(try words(try graph.value(of: object, at: position)))"
        } catch {
          return "\(keys[position])=\(error)"
        }
      }
      return "\(uid) \(name(uid)): \(values.joined(separator: " "))"
    } catch {
      return "\(uid): \(error)"
    }
  }

  private func name(_ uid: Int) -> String {
    source.storeKey(ofObject: uid).map { "\($0.entity) \($0.key)" } ?? "no object"
  }

  private func words(_ value: GraphValue) throws(ArchiveError) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .real(let value): return "\(value)"
    case .date(let seconds): return "date \(seconds)"
    case .text(let text): return "\"\(text.string)\""
    case .url(let text): return "url \"\(text.string)\""
    case .data(let data): return "\(data.count) bytes"
    case .uuid(let bytes): return "uuid \(bytes.count) bytes"
    case .decimal(let decimal): return decimal.text
    case .object(let uid, _): return name(uid)
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      var members: [String] = []
      for position in 0..<elements.count {
        members.append(try words(try graph.value(of: elements, at: position)))
      }
      let list = members.joined(separator: ", ")
      return kind.isOrdered ? "[\(list)]" : "{\(list)}"
    default: return "?"
    }
  }
}
