import DataModel
import Importer
import Stores

extension MigratorCode {
  /// A type for the objects of an archived class.
  struct LegacyType {
    let name: String
    let archivedClass: String
    let entity: Int
    /// The keys, the properties that they fill, and where those are.
    let properties: [(key: String, name: String, storage: RelationalLayout.PropertyStorage)]
  }

  private var layout: RelationalLayout { source.plan.layout }

  /// The types, in the order of the archived classes.
  var legacyTypes: [LegacyType] {
    var names = Set(outline.entities.map { $0.name.lowercased() })
      .union(Self.reservedWords.map { $0.lowercased() })
    return (source.plan.passes.first?.classes ?? [:])
      .sorted { $0.key.precedesInBytes($1.key) }
      .compactMap { name, use in
        guard case .plain(let entity, let properties) = use,
          let record = outline.entity(layout.table(of: entity).name)
        else { return nil }
        var type = "Legacy\(record.name)"
        while !names.insert(type.lowercased()).inserted { type += "_" }
        let stored = layout.entities[entity].properties
        return LegacyType(
          name: type, archivedClass: ArchivedName.plain(name), entity: entity,
          properties: properties.sorted { $0.key.precedesInBytes($1.key) }.compactMap {
            key, name in stored[name].map { (ArchivedKey.plain(key), name, $0) }
          })
      }
  }

  /// The declarations of the types.
  var objects: String {
    legacyTypes.map { declaration(of: $0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func declaration(of type: LegacyType) -> [String] {
    let table = layout.table(of: type.entity)
    guard let record = outline.entity(table.name) else { return [] }
    let name = SwiftSource.literal(type.archivedClass)
    var lines = [
      "/// An archived \(SwiftCode.quoted(type.archivedClass)): a row of \(SwiftCode.quoted(table.name)).",
      "final class \(type.name): LegacyObject {",
      "  override class var legacyClass: String { \(name) }",
      "  override class var table: String { \(SwiftSource.literal(table.name)) }",
      "  override class var keys: [String: LegacyKey] { places }",
    ]
    lines += places(of: type)
    lines += references(of: type, table)
    lines += ["", "  override func insert(into writer: LegacyWriter) throws {"]
    lines += insertion(of: record, values(of: type, table, record)).map { "    " + $0 }
    lines += ["  }"]
    let collections = type.properties.filter { $0.storage.elements != nil }
    if !collections.isEmpty {
      lines += [
        "",
        "  override func insertElements(of key: String, into writer: LegacyWriter) throws {",
        "    switch key {",
      ]
      for (key, name, storage) in collections {
        guard let index = storage.elements else { continue }
        lines.append("    case \(SwiftSource.literal(key)):")
        lines += elements(of: key, name, type, layout.elementTables[index])
      }
      lines += ["    default: break", "    }", "  }"]
    }
    return lines + ["}"]
  }

  // MARK: Keys

  private func places(of type: LegacyType) -> [String] {
    guard !type.properties.isEmpty else {
      return ["  private static let places: [String: LegacyKey] = [:]"]
    }
    let lines = type.properties.map { key, _, storage in
      var parts: [String] = []
      if storage.value != nil { parts.append("holdsValue: true") }
      if storage.reference != nil { parts.append("holdsObject: true") }
      if let index = storage.elements {
        parts.append("elements: \(SwiftSource.literal(layout.elementTables[index].table.name))")
      }
      if let index = storage.inverseElements {
        parts.append("inverse: \(SwiftSource.literal(layout.elementTables[index].table.name))")
      }
      if let members = storage.members {
        let columns = layout.table(of: members.entity).columns
        let owner = SwiftSource.literal(columns[members.reference].name)
        let position = members.position.map { SwiftSource.literal(columns[$0].name) } ?? "nil"
        parts.append("members: (\(owner), \(position))")
      }
      if storage.count != nil { parts.append("isEmptyCollection: true") }
      return "    \(SwiftSource.literal(key)): LegacyKey(\(parts.joined(separator: ", "))),"
    }
    return ["  private static let places: [String: LegacyKey] = ["] + lines + ["  ]"]
  }

  private func references(of type: LegacyType, _ table: Table) -> [String] {
    let pairs = type.properties.compactMap { key, _, storage in
      storage.reference.map { (table.columns[$0].name, key) }
    }
    guard !pairs.isEmpty else { return [] }
    let list = pairs.map { "\(SwiftSource.literal($0)): \(SwiftSource.literal($1))" }
    return [
      "  override class var references: [String: String] { [\(list.joined(separator: ", "))] }"
    ]
  }

  // MARK: Rows

  /// The lines that insert a record.
  private func insertion(of record: StoreOutline.Entity, _ values: [String: String]) -> [String] {
    let columns = record.columns.filter { $0.computed == nil }
    let arguments = columns.map { "  \($0.member): \(values[$0.name] ?? "nil")," }
    let throwing = columns.contains { values[$0.name].map(Self.canThrow) ?? false }
    return ["var newRow = \(throwing ? "try " : "")\(record.name)("] + arguments.dropLast()
      + arguments.suffix(1).map { $0.dropLast() + ")" } + ["try newRow.insert(writer.db)"]
  }

  /// True if reading a value can fail.
  private static func canThrow(_ value: String) -> Bool {
    value.hasSuffix(")")
      && ![".runs()", ".table()", ".count()"].contains(where: value.hasSuffix)
      && !value.hasPrefix("position(")
  }

  /// The values of the columns of a type's rows.
  private func values(
    of type: LegacyType, _ table: Table, _ record: StoreOutline.Entity
  ) -> [String: String] {
    let columns = table.columns.map(\.name)
    let types = Dictionary(
      source.plan.model.entities[type.entity].attributes.map { ($0.name, $0.type) },
      uniquingKeysWith: { first, _ in first })
    var values = [columns[0]: "id"]
    for (key, property, storage) in type.properties {
      let held = "self[\(SwiftSource.literal(key))]"
      if let column = storage.value {
        values[columns[column]] =
          storage.runs == nil
          ? "\(held).\(reader(columns[column], record, types[property]))"
          : "\(held).attributedText()"
      }
      if let column = storage.runs { values[columns[column]] = "\(held).runs()" }
      if let column = storage.reference {
        let target = table.columns[column].references.map { "in: \(SwiftSource.literal($0))" }
        values[columns[column]] = "\(held).row(\(target ?? ""))"
      }
      if let column = storage.referenceType { values[columns[column]] = "\(held).table()" }
      if let column = storage.count { values[columns[column]] = "\(held).count()" }
    }
    for members in layout.entities.flatMap(\.properties.values).compactMap(\.members)
    where layout.entities[members.entity].table == layout.entities[type.entity].table {
      guard let column = members.position else { continue }
      values[columns[column]] = "position(\(SwiftSource.literal(columns[column])))"
    }
    return values
  }

  /// The method that reads a value for a column.
  private func reader(
    _ column: String, _ record: StoreOutline.Entity, _ type: AttributeType?
  ) -> String {
    switch record.columns.first(where: { $0.name == column })?.kind ?? .any {
    case .boolean: "bool()"
    // Texts stand for values of other kinds, too.
    case .text where type != .string: "storedText()"
    case let kind: "\(kind)()"
    }
  }

  /// The lines that insert the elements of a collection.
  private func elements(
    of key: String, _ name: String, _ type: LegacyType, _ form: RelationalLayout.ElementTable
  ) -> [String] {
    guard let record = outline.entity(form.table.name) else { return [] }
    let columns = form.table.columns
    var values = [columns[form.owner].name: "id"]
    if let key = form.table.columns.first(where: \.isPrimaryKey) { values[key.name] = "nil" }
    if let column = form.position {
      values[columns[column].name] = form.isShared ? "element.index" : "element.position"
    }
    var lines = ["for element in self[\(SwiftSource.literal(key))].elements {"]
    let types = source.plan.model.entities[type.entity].collections.first { $0.name == name }
    func read(
      _ part: String, _ kind: AttributeType?, _ value: Int?, _ reference: Int?, _ type: Int?
    ) {
      if let column = value {
        values[columns[column].name] =
          "element.\(part).\(reader(columns[column].name, record, kind))"
      }
      guard let reference else { return }
      if let target = columns[reference].references {
        values[columns[reference].name] =
          "element.\(part).row(in: \(SwiftSource.literal(target)))"
      } else {
        lines.append("  let \(part)Place = try writer.place(element.\(part))")
        values[columns[reference].name] = "\(part)Place.id"
        if let type { values[columns[type].name] = "\(part)Place.table" }
      }
    }
    read("key", types?.keyType, form.key, form.keyReference, form.keyType)
    read("value", types?.valueType, form.value, form.reference, form.referenceType)
    if let column = form.inversePosition {
      let table = SwiftSource.literal(form.table.name)
      values[columns[column].name] =
        "writer.inversePosition(\(table), id, element.value.row())"
    }
    lines += insertion(of: record, values).map { "  " + $0 } + ["}"]
    return lines.map { "      " + $0 }
  }
}
