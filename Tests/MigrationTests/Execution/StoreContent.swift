import CoreDataStores
import Foundation
import GraphCore
import Support

/// What is in a source, in a form that does not depend on keys: a line for each object, with its
/// attributes and with those of the objects that it is linked to.
enum StoreContent {
  /// The lines, sorted.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - leavesOut: Names of attributes that are not compared.
  static func lines(
    _ source: any GraphSource, leavesOut: Set<String> = []
  ) throws -> [String] {
    let graph = source.makeGraph(GraphOptions())
    var names: [Int: String] = [:]
    var links: [(uid: Int, links: [(key: String, targets: [Int], isOrdered: Bool)])] = []
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      next = uid + 1
      let entity = graph.classes[id.index]
      guard entity.hierarchy.last == "NSManagedObject" else { continue }
      let object = try graph.object(uid)
      var words: [String] = []
      var found: [(key: String, targets: [Int], isOrdered: Bool)] = []
      for (position, key) in graph.keys(ofShape: object.shape).enumerated()
      where !leavesOut.contains(key) {
        let value = try graph.value(of: object, at: position)
        switch value {
        case .object(let target, let id)
        where graph.classes[id.index].hierarchy.last == "NSManagedObject":
          found.append((key, [target], false))
        case .collection(.inline(let number), let kind):
          let elements = try graph.elements(of: .inline(number), kind)
          var targets: [Int] = []
          for place in 0..<elements.count {
            if case .object(let target, _) = try graph.value(of: elements, at: place) {
              targets.append(target)
            }
          }
          found.append((key, targets, kind == .orderedSet))
        default: words.append("\(key)=\(try text(value, graph))")
        }
      }
      names[uid] = "\(entity.name)(\(words.joined(separator: " ")))"
      links.append((uid, found))
    }
    return links.map { uid, links in
      let words = links.filter { !$0.targets.isEmpty }.map { link in
        let targets = link.targets.map { names[$0] ?? "?" }
        return
          "\(link.key)=[\((link.isOrdered ? targets : targets.sorted()).joined(separator: ", "))]"
      }
      return "\(names[uid] ?? "?") \(words.joined(separator: " "))"
    }.sorted()
  }

  private static func text(_ value: GraphValue, _ graph: any ObjectGraph) throws -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .date(let seconds): "date \(seconds)"
    case .text(let text): "\"\(text.string)\""
    case .data(let bytes): Data(bytes.buffer).base64EncodedString()
    case .uuid(let bytes): UUIDText.text(bytes.buffer)
    case .decimal(let decimal): decimal.text
    case .url(let text): "url \(text.string)"
    case .foundation(let uid, _): try graph.foundationValue(uid)?.json ?? "?"
    default: "\(value)"
    }
  }
}
