import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// The rows of each real store are archived as an app would have done it, and converted into a
/// store of Core Data again.
@Suite(
  "Rows of real Core Data stores",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct CoreDataRoundTripTests {
  @Test("They come out as they were", arguments: CoreDataStorePair.all)
  func rows(_ pair: CoreDataStorePair) throws {
    let folder = try TemporaryFolder()
    let path = try #require(pair.xmlModel ?? pair.compiledModel)
    let model = try Model(contentsOf: path)
    let real = try pair.withStore { try CoreDataRows(model, $0) }
    #expect(!real.rows.isEmpty)

    let archive = try folder.write(real.archive().binary(), to: "rows.archive")
    var options = ConversionOptions()
    options.modelPath = path
    options.layout = .coreData
    let store = folder.file(named: "made.sqlite")
    var conversion = Conversion(inputs: [archive], destination: store, options: options)
    let report = try conversion.run()
    #expect(report.storeLayout == "coredata")
    #expect(report.lossCount == 0)

    let query = try StoreQuery(store)
    let made = try CoreDataRows(model, query)
    #expect(made.rows.map(\.key).map(\.table) == real.rows.map(\.key).map(\.table))
    #expect(made.described() == real.described())
    #expect(try StoreCheck.run(store, model: path).findings == [])
    // The greatest keys are those in use.
    for (number, table) in made.tables {
      let greatest = try query.value("SELECT coalesce(max(Z_PK), 0) FROM \(table)")
      #expect(
        try query.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") == greatest)
    }
  }
}

/// The rows of a store, with names found by simpler rules than those of the layout.
private struct CoreDataRows {
  struct Key: Hashable {
    var table: String
    var id: String
  }

  struct Row {
    var key: Key
    var entity: String
    var attributes: [(attribute: Attribute, value: String)] = []
    var references: [(name: String, target: Key)] = []
    /// The rows of ordered and many-to-many relationships.
    var collections: [(name: String, isOrdered: Bool, members: [Key])] = []
  }

  var rows: [Row] = []
  /// The tables of root entities, by number.
  var tables: [(number: Int, table: String)] = []

  init(_ model: Model, _ store: StoreQuery) throws {
    let numbered = model.numberedEntities
    let entities = Dictionary(
      uniqueKeysWithValues: numbered.map { ($0.entity.name, $0.entity) })
    func root(_ name: String) -> Entity? {
      var entity = entities[name]
      while let parent = entity?.parent { entity = entities[parent] }
      return entity
    }
    func table(_ name: String) -> String { "Z\(root(name)?.name.uppercased() ?? "")" }
    for (number, entity) in numbered.map({ ($0.number, $0.entity) }) {
      if entity.parent == nil { tables.append((number, table(entity.name))) }
    }
    for (_, table) in tables {
      for ids in try store.rows("SELECT Z_PK, Z_ENT FROM \(table) ORDER BY Z_PK") {
        let entity = try #require(numbered.first { "\($0.number)" == ids[1] }).entity
        rows.append(Row(key: Key(table: table, id: ids[0]), entity: entity.name))
      }
    }
    let places = Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { ($1.key, $0) })
    for (number, entity) in numbered.map({ ($0.number, $0.entity) }) {
      let own = table(entity.name)
      // What custom transformers store has no form in an archive.
      for attribute in entity.attributes
      where !attribute.isTransient && attribute.type != .transformable {
        let column = "Z\(attribute.name.uppercased())"
        for row in try store.rows("SELECT Z_PK, \(column) FROM \(own) WHERE \(column) NOT NULL") {
          let place = try #require(places[Key(table: own, id: row[0])])
          rows[place].attributes.append((attribute, row[1]))
        }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let other = table(try #require(relationship.destinations.first))
        let column = "Z\(relationship.name.uppercased())"
        guard relationship.isToMany else {
          for row in try store.rows("SELECT Z_PK, \(column) FROM \(own) WHERE \(column) NOT NULL") {
            let place = try #require(places[Key(table: own, id: row[0])])
            rows[place].references.append((relationship.name, Key(table: other, id: row[1])))
          }
          continue
        }
        let inverse = try #require(relationship.inverse).uppercased()
        let names = ["Z_\(number)\(column.dropFirst())", "Z_\(number)\(inverse)"]
        let joins = try store.rows(
          "SELECT name FROM sqlite_schema WHERE name IN ('\(names[0])', '\(names[1])') "
            + "AND type = 'table'")
        var links: [[String]] = []
        if let join = joins.first?.first {
          let order = relationship.isOrdered ? "Z_FOK_\(names[0].dropFirst(2))" : names[0]
          links = try store.rows(
            "SELECT \(names[1]), \(names[0]) FROM \(join) ORDER BY \(order)")
        } else if relationship.isOrdered {
          links = try store.rows(
            "SELECT Z\(inverse), Z_PK FROM \(other) WHERE Z\(inverse) NOT NULL "
              + "ORDER BY Z_FOK_\(inverse)")
        }
        for (owner, members) in Dictionary(grouping: links, by: { $0[0] }) {
          let place = try #require(places[Key(table: own, id: owner)])
          rows[place].collections.append(
            (
              relationship.name, relationship.isOrdered,
              members.map { Key(table: other, id: $0[1]) }
            ))
        }
      }
    }
  }

  /// Each row as text, in which rows are told by their place among those of their table.
  func described() -> [String] {
    var counts: [String: Int] = [:]
    var names: [Key: String] = [:]
    for row in rows {
      counts[row.key.table, default: 0] += 1
      names[row.key] = "\(row.key.table) \(counts[row.key.table] ?? 0)"
    }
    return rows.map { row in
      let attributes = row.attributes.map { "\($0.attribute.name)=\($0.value)" }.sorted()
      let references = row.references.map { "\($0.name)→\(names[$0.target] ?? "?")" }.sorted()
      let collections = row.collections.map { name, isOrdered, members in
        let members = members.map { names[$0] ?? "?" }
        return "\(name)→→\((isOrdered ? members : members.sorted()).joined(separator: ","))"
      }.sorted()
      return ([names[row.key] ?? "?", row.entity] + attributes + references + collections)
        .joined(separator: "|")
    }
  }

  /// An archive with an object for each row, whose class is named as the entity.
  func archive() throws -> KeyedArchiveBuilder {
    try .archive { archive in
      let slots = Dictionary(
        uniqueKeysWithValues: rows.map { ($0.key, archive.reserve()) })
      for row in rows {
        var pairs: [KeyValue] = []
        for (attribute, value) in row.attributes {
          pairs.append(KeyValue(attribute.name, try Self.value(value, attribute, &archive)))
        }
        for (name, target) in row.references {
          pairs.append(KeyValue(name, try #require(slots[target]).reference))
        }
        for (name, _, members) in row.collections {
          pairs.append(
            KeyValue(name, archive.array(try members.map { try #require(slots[$0]).reference })))
        }
        archive.fill(try #require(slots[row.key]), className: row.entity, pairs)
      }
      return archive.array(try rows.map { try #require(slots[$0.key]).reference })
    }
  }

  private static func value(
    _ text: String, _ attribute: Attribute, _ archive: inout KeyedArchiveBuilder
  ) throws -> PropertyListValue {
    switch attribute.type {
    case .boolean: .bool(text != "0")
    case .integer16, .integer32, .integer: .integer(try #require(Int64(text)))
    case .double, .float: .real(try #require(Double(text)))
    case .date: archive.date(secondsSince2001: try #require(Double(text)))
    default: archive.string(text)
    }
  }
}
