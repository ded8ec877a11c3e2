import ArchiveReader
import Foundation

/// A compiled model as lines: every key of every object, with its value or what it refers to.
///
/// The objects of a model are described where it lists them, and named wherever else something
/// refers to them. The form of collections is left out: whether they can be changed depends on the
/// program that wrote the archive.
struct CompiledModelText {
  private(set) var lines: [String] = []
  private let table: NodeTable
  private let objects: Node.Run

  init(_ bytes: Data) throws {
    let list = try PropertyList(bytes: bytes)
    table = list.table
    var parts: [String: Node] = [:]
    for (key, value) in Self.pairs(list.top, table) { parts[key] = value }
    guard let entries = parts["$objects"], case .array(let objects) = table.value(of: entries),
      let top = parts["$top"], let root = Self.pairs(top, table).first
    else { throw CocoaError(.coderReadCorrupt) }
    self.objects = objects
    lines.append("top \(root.key)")
    describe(root.value, at: "model", isHome: true)
    lines.sort()
    withExtendedLifetime(list) {}
  }

  private static func pairs(_ node: Node, _ table: NodeTable) -> [(key: String, value: Node)] {
    guard case .dictionary(let keys, let values) = table.value(of: node) else { return [] }
    return (0..<keys.count).map { position in
      guard case .text(let text) = table.value(of: table[keys, position]) else {
        return ("", table[values, position])
      }
      return (table.string(text), table[values, position])
    }
  }

  private func resolved(_ node: Node) -> Node {
    guard case .uid(let number) = table.value(of: node) else { return node }
    return table[objects, number]
  }

  private func members(_ node: Node) -> [String: Node] {
    Dictionary(
      Self.pairs(resolved(node), table).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The class of an object and its superclasses; nil for a plain value.
  private func classes(_ node: Node) -> [String]? {
    members(node)["$class"].map { record in
      list(members(record)["$classes"]).map { text($0) ?? "" }
    }
  }

  private func list(_ node: Node?) -> [Node] {
    guard let node, case .array(let run) = table.value(of: node) else { return [] }
    return (0..<run.count).map { table[run, $0] }
  }

  private func text(_ node: Node?) -> String? {
    guard let node else { return nil }
    if case .text(let text) = table.value(of: resolved(node)) { return table.string(text) }
    return members(node)["NS.string"].flatMap { text($0) }
  }

  /// Describes a value.
  private mutating func describe(_ node: Node, at path: String, isHome: Bool = false) {
    guard let classes = classes(node), let name = classes.first else {
      let value = table.value(of: resolved(node))
      if let text = text(node) {
        lines.append("\(path) = \(text == "$null" ? "nil" : "\"\(text)\"")")
      } else {
        lines.append("\(path) = \(value)")
      }
      return
    }
    let members = members(node)
    switch name {
    case "NSMutableString": lines.append("\(path) = \"\(text(node) ?? "")\"")
    case "NSArray", "NSMutableArray":
      lines.append("\(path): list")
      for (place, element) in list(members["NS.objects"]).enumerated() {
        describe(element, at: "\(path)[\(place)]", isHome: isHome)
      }
    case "NSSet", "NSMutableSet":
      lines.append("\(path): set")
      for element in list(members["NS.objects"]) { describe(element, at: "\(path)[]") }
    case "NSDictionary", "NSMutableDictionary":
      lines.append("\(path): pairs")
      for (key, value) in zip(list(members["NS.keys"]), list(members["NS.objects"])) {
        describe(value, at: "\(path)[\(text(key) ?? "")]", isHome: isHome)
      }
    default:
      let own =
        text(members["NSEntityName"]) ?? text(members["NSPropertyName"])
        ?? text(members["NSIndexName"])
      let isElement = name == "NSFetchIndexElementDescription"
      guard isHome || isElement || (own == nil && path != "model") else {
        lines.append("\(path) -> \(name) \(own ?? "")")
        return
      }
      lines.append("\(path): \(classes.joined(separator: " < "))")
      for (key, value) in members where key != "$class" {
        guard !["NSManagedObjectModel", "NSFetchIndexDescription"].contains(key) else {
          lines.append("\(path).\(key) -> \(self.classes(value)?.first ?? "")")
          continue
        }
        let isHome = [
          "NSEntities", "values", "NSProperties", "NSFetchIndexDescriptions",
        ].contains(key)
        describe(value, at: "\(path).\(key)", isHome: isHome)
      }
    }
  }
}
