import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import Support
import TestSupport

/// The real stores that stand beside the repository, and what another program read in them.
enum RealStores {
  /// An object with its values in words, and the keys of those that it is related to.
  struct Object: Hashable {
    var entity: String
    var key: Int64
    /// The values that are not nil.
    var values: [String: String] = [:]
    /// The relationships that are not empty, sorted.
    var links: [String: [Int64]] = [:]
  }

  /// The folder of stores; nil where there is none.
  static let folder: String? = {
    guard let corpus = Repository.corpus else { return nil }
    let path = URL(fileURLWithPath: corpus).deletingLastPathComponent()
      .appendingPathComponent("sources").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// All files in it that are stores, models or mapping models.
  static let files: [String] = {
    guard let folder, let paths = FileManager.default.subpaths(atPath: folder) else { return [] }
    let endings = ["b_storedata", "storedata", "sqlite", "moody", "xml", "elements", "contents"]
    return paths.sorted().filter { path in
      endings.contains { path.hasSuffix(".\($0)") || path.hasSuffix("/\($0)") }
    }.map { "\(folder)/\($0)" }
  }()

  static let binaryStores = files.filter { $0.hasSuffix(".b_storedata") }

  /// The models of the program that a store is of.
  static func models(beside path: String) -> [Model] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("models").path
    return (try? ModelVersions(contentsOf: folder))?.versions.map(\.source.model) ?? []
  }

  // MARK: What is expected

  private static func lines(_ path: String) throws -> [[String: Any]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return object as? [String: Any] ?? [:]
    }
  }

  /// The words of a value of the expected readings; nil for nil.
  private static func words(_ value: Any) -> String? {
    switch value {
    case let text as String: return "text \(text)"
    case let number as NSNumber: return "number \(number.doubleValue)"
    case let pairs as [String: Any]:
      if let date = pairs["$date2001"] as? NSNumber { return "date \(date.doubleValue)" }
      return (pairs["$data_sha256"] as? String).map { "data \($0)" }
    default: return nil
    }
  }

  static func expectedBinaryObjects(of path: String) throws -> Set<Object> {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent().deletingLastPathComponent().path
    let objects = try lines("\(folder)/expected/\(name).jsonl").map { line in
      var object = Object(
        entity: line["entity"] as? String ?? "", key: (line["pk"] as? NSNumber)?.int64Value ?? 0)
      for (name, value) in line["attributes"] as? [String: Any] ?? [:] {
        object.values[name] = words(value)
      }
      for (name, keys) in line["relationships"] as? [String: [NSNumber]] ?? [:] where !keys.isEmpty
      {
        object.links[name] = keys.map(\.int64Value).sorted()
      }
      return object
    }
    return Set(objects)
  }

  /// The expected objects of an XML store, and a model that is drawn from it: its own is not known.
  static func expectedXMLObjects(of path: String) throws -> (objects: Set<Object>, model: Model) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let lines = try lines("\(folder)/expected.jsonl")
    let metadata = try XMLStoreSource.metadata(of: try ByteStorage(contentsOf: path))
    let names = Dictionary(
      metadata.versionHashes.keys.map { ($0.uppercased(), $0) }, uniquingKeysWith: { $1 })
    let types = try attributeTypes(in: path)
    var entities: [String: Entity] = [:]
    for name in names.values { entities[name] = Entity(name: name) }
    var ids: [String: String] = [:]
    for line in lines { ids[line["id"] as? String ?? ""] = line["type"] as? String }
    var objects: Set<Object> = []
    // For each entity those in whose place its objects are held.
    var superentities: [String: Set<String>] = [:]
    for line in lines {
      let entity = names[line["type"] as? String ?? ""] ?? ""
      var object = Object(
        entity: entity, key: Int64((line["id"] as? String ?? "").dropFirst()) ?? -1)
      for (name, value) in line["attributes"] as? [String: Any] ?? [:] {
        let type = types["\(entity.uppercased()).\(name)"] ?? .string
        if entities[entity]?.attributes.contains(where: { $0.name == name }) == false {
          entities[entity]?.attributes.append(Attribute(name: name, type: type))
        }
        // Dates and real numbers are in the text of the file.
        object.values[name] =
          switch (type, value) {
          case (.date, let text as String): Double(text).map { "date \($0)" }
          case (.float, let text as String): Double(text).map { "number \($0)" }
          default: words(value)
          }
      }
      for (name, value) in line["relationships"] as? [String: [String: Any]] ?? [:] {
        let targets = value["ids"] as? [String] ?? []
        let destination = names[value["destination"] as? String ?? ""] ?? ""
        if entities[entity]?.relationships.contains(where: { $0.name == name }) == false {
          entities[entity]?.relationships.append(
            Relationship(
              name: name, destinations: [destination],
              isToMany: (value["type"] as? String)?.hasSuffix("/0") ?? true))
        }
        // Whatever is held where another entity is declared inherits from that.
        for target in targets {
          guard let type = ids[target].flatMap({ names[$0] }), type != destination else { continue }
          superentities[type, default: []].insert(destination)
        }
        let keys = targets.compactMap { Int64($0.dropFirst()) }.sorted()
        if !keys.isEmpty { object.links[name] = keys }
      }
      objects.insert(object)
    }
    for (entity, names) in superentities {
      // The topmost stands for the most entities.
      let chain = names.sorted { one, other in
        let counts = [one, other].map { name in superentities.values.count { $0.contains(name) } }
        return counts[0] > counts[1]
      }
      for (parent, child) in zip(chain, chain.dropFirst() + [entity]) {
        entities[child]?.parent = parent
      }
    }
    return (objects, Model(entities: entities.values.sorted { $0.name < $1.name }))
  }

  /// The types that an XML store names, by entity and attribute.
  private static func attributeTypes(in path: String) throws -> [String: AttributeType] {
    let words: [String: AttributeType] = [
      "bool": .boolean, "int16": .integer16, "int32": .integer32, "int64": .integer,
      "float": .float, "double": .double, "date": .date, "string": .string,
    ]
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var types: [String: AttributeType] = [:]
    var entity = ""
    try XMLDocumentReader.read(ByteStorage(bytes)) { event, _ in
      if case .start(let name, let attributes) = event {
        if name == "object" { entity = attributes["type"] ?? "" }
        if name == "attribute" {
          types["\(entity).\(attributes["name"] ?? "")"] = words[attributes["type"] ?? ""]
        }
      }
      return true
    }
    return types
  }

  // MARK: What is read

  /// The objects of a source.
  static func objects(of source: any CoreDataSource) -> Set<Object> {
    let graph = source.makeGraph(GraphOptions())
    var objects: Set<Object> = []
    for uid in 0..<source.objectCount {
      guard let (entity, key) = source.storeKey(ofObject: uid),
        let object = try? graph.object(uid)
      else { continue }
      var found = Object(entity: entity, key: key)
      func link(_ uid: Int) -> Int64 { source.storeKey(ofObject: uid)?.key ?? -1 }
      for (position, name) in graph.keys(ofShape: object.shape).enumerated() {
        switch try? graph.value(of: object, at: position) {
        case nil: found.values[name] = "an error"
        case .null: break
        case .object(let uid, _): found.links[name] = [link(uid)]
        case .collection(let id, let kind):
          guard let elements = try? graph.elements(of: id, kind), elements.count > 0 else { break }
          found.links[name] = (0..<elements.count).map { position in
            guard case .object(let uid, _) = try? graph.value(of: elements, at: position) else {
              return -1
            }
            return link(uid)
          }.sorted()
        case let value?: found.values[name] = words(value)
        }
      }
      objects.insert(found)
    }
    return objects
  }

  private static func words(_ value: GraphValue) -> String {
    switch value {
    case .bool(let value): "number \(value ? 1.0 : 0.0)"
    case .integer(let value): "number \(Double(value))"
    case .real(let value): "number \(value)"
    case .date(let value): "date \(value)"
    case .text(let text): "text \(text.string)"
    case .data(let bytes):
      "data \(MessageDigest.sha256(of: bytes.buffer).map { String(format: "%02x", $0) }.joined())"
    default: "\(value)"
    }
  }
}
