import ArchiveReader
import DataModel
import GraphCore

/// Reads what stores go by in a model of Xcode 3, the archive `elements` in an `.xcdatamodel` folder.
///
/// It is right if the hashes of the model are those of a store.
struct XcodeModelReader {
  private let graph: any ObjectGraph

  /// The model in a file; nil if there is none.
  static func model(in path: String) -> Model? {
    guard let archive = try? KeyedArchive(contentsOf: path) else { return nil }
    let reader = XcodeModelReader(
      graph: archive.makeGraph(GraphOptions(readsFoundationValues: false)))
    guard let root = archive.roots.first, let model = try? reader.graph.value(of: root) else {
      return nil
    }
    let package = reader.value(model, "_xd_rootPackage")
    let classes = reader.elements(reader.value(package, "XDBucketForClassesstorage"))
    return Model(entities: classes.map { reader.entity($0) }.sorted { $0.name < $1.name })
  }

  private func entity(_ value: GraphValue) -> Entity {
    let properties = elements(self.value(value, "XDBucketForOwnedAttributesstorage"))
    let general = elements(self.value(value, "XDBucketForGeneralizationsstorage")).first
    return Entity(
      name: text(value, "_name"),
      parent: general.map { text(self.value($0, "_general"), "_name") },
      isAbstract: number(self.settings(of: value)["XD_PSK_isAbstract"]) == 1,
      attributes: properties.compactMap { attribute($0) },
      relationships: properties.compactMap { relationship($0) })
  }

  private func attribute(_ value: GraphValue) -> Attribute? {
    let settings = settings(of: value)
    guard let code = number(settings["XD_PAttK_attributeType"]) else { return nil }
    return Attribute(
      name: text(value, "_name"), type: Self.types[code] ?? .undefined,
      isOptional: number(settings["XD_PPSK_isOptional"]) == 1,
      isTransient: number(settings["XD_PPSK_isTransient"]) == 1,
      allowsExternalBinaryDataStorage:
        number(settings["XD_PAttK_allowsExternalBinaryDataStorage"]) == 1)
  }

  private func relationship(_ value: GraphValue) -> Relationship? {
    let settings = settings(of: value)
    guard let destination = settings["XD_PRK_destination"] else { return nil }
    let inverse = settings["XD_PRK_inverseRelationship"].map { text($0, "_name") } ?? ""
    let isToMany = number(settings["XD_PRK_isToMany"]) == 1
    return Relationship(
      name: text(value, "_name"), destinations: [text(destination, "_name")], isToMany: isToMany,
      isOrdered: number(settings["XD_PRK_ordered"]) == 1, inverse: inverse.isEmpty ? nil : inverse,
      isOptional: number(settings["XD_PPSK_isOptional"]) == 1,
      isTransient: number(settings["XD_PPSK_isTransient"]) == 1,
      minimumCount: number(settings["XD_PRK_minCount"]) ?? 0,
      maximumCount: number(settings["XD_PRK_maxCount"]))
  }

  private static let types: [Int: AttributeType] = [
    100: .integer16, 200: .integer32, 300: .integer, 400: .decimal, 500: .double, 600: .float,
    700: .string, 800: .boolean, 900: .date, 1000: .binary, 1800: .transformable,
  ]

  // MARK: The archive

  /// What the stereotypes of an element say, by name.
  private func settings(of value: GraphValue) -> [String: GraphValue] {
    var settings: [String: GraphValue] = [:]
    for stereotype in elements(self.value(value, "XDBucketForStereotypesstorage")) {
      for property in elements(self.value(stereotype, "XDBucketForOwnedAttributesstorage")) {
        let value = self.value(property, "_default")
        if case .null = value { continue }
        settings[text(property, "_name")] = value
      }
    }
    return settings
  }

  private func value(_ value: GraphValue, _ key: String) -> GraphValue {
    guard case .object(let uid, _) = value, let object = try? graph.object(uid),
      let position = graph.position(of: key, in: object)
    else { return .null }
    return (try? graph.value(of: object, at: position)) ?? .null
  }

  private func elements(_ value: GraphValue) -> [GraphValue] {
    guard case .collection(let id, let kind) = value,
      let elements = try? graph.elements(of: id, kind)
    else { return [] }
    return (0..<elements.count).compactMap { try? graph.value(of: elements, at: $0) }
  }

  private func text(_ value: GraphValue, _ key: String) -> String {
    if case .text(let text) = self.value(value, key) { text.string } else { "" }
  }

  private func number(_ value: GraphValue?) -> Int? {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let number): Int(number)
    default: nil
    }
  }
}
