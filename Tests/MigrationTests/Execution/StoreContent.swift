import CoreDataStores
import Foundation
import GraphCore
import Support

/// What is in a source, in a form that does not depend on keys.
enum StoreContent {
  /// An object: its attributes in words, and those of the objects that it is linked to.
  struct Object {
    var entity: String
    var attributes: [String: String] = [:]
    var links: [String: [[String: String]]] = [:]
    /// The relationships whose order means something.
    var orderedKeys: Set<String> = []
  }

  /// The objects of entities in a source, in its order.
  static func objects(_ source: any GraphSource) throws -> [Object] {
    let graph = source.makeGraph(GraphOptions())
    var objects: [Int: Object] = [:]
    var order: [Int] = []
    var targets: [(uid: Int, key: String, targets: [Int])] = []
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      next = uid + 1
      let entity = graph.classes[id.index]
      guard entity.hierarchy.last == "NSManagedObject" else { continue }
      let object = try graph.object(uid)
      var found = Object(entity: entity.name)
      for (position, key) in graph.keys(ofShape: object.shape).enumerated() {
        switch try graph.value(of: object, at: position) {
        case .object(let target, let id)
        where graph.classes[id.index].hierarchy.last == "NSManagedObject":
          targets.append((uid, key, [target]))
        case .collection(.inline(let number), let kind):
          let elements = try graph.elements(of: .inline(number), kind)
          var members: [Int] = []
          for place in 0..<elements.count {
            if case .object(let target, _) = try graph.value(of: elements, at: place) {
              members.append(target)
            }
          }
          if kind == .orderedSet { found.orderedKeys.insert(key) }
          targets.append((uid, key, members))
        case let value: found.attributes[key] = try text(value, graph)
        }
      }
      objects[uid] = found
      order.append(uid)
    }
    for (uid, key, targets) in targets where !targets.isEmpty {
      let linked = targets.map { target in
        var attributes = objects[target]?.attributes ?? [:]
        attributes["entity"] = objects[target]?.entity
        return attributes
      }
      objects[uid]?.links[key] = linked
    }
    return order.compactMap { objects[$0] }
  }

  /// A line for each object, sorted.
  static func lines(_ source: any GraphSource) throws -> [String] {
    try objects(source).map { object in
      let links = object.links.sorted { $0.key < $1.key }.map { key, targets in
        let names = targets.map { "\($0["entity"] ?? "?")(\(words($0)))" }
        let members = object.orderedKeys.contains(key) ? names : names.sorted()
        return " \(key)=[\(members.joined(separator: ", "))]"
      }
      return "\(object.entity)(\(words(object.attributes)))\(links.joined())"
    }.sorted()
  }

  private static func words(_ attributes: [String: String]) -> String {
    attributes.filter { $0.key != "entity" && $0.value != "nil" }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
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
    case .uuid(let bytes): UUIDText.text(bytes)
    case .decimal(let decimal): "decimal \(decimal.text)"
    case .url(let text): "url \(text.string)"
    case .foundation(let uid, _): try graph.foundationValue(uid)?.json ?? "?"
    default: "\(value)"
    }
  }
}
