import ArchiveWriter
import CoreDataStores
import Foundation

extension SQLiteStoreDraft {
  private static let missingKey = 9_999

  /// Adds what the model does not ask for.
  ///
  /// - Parameters:
  ///   - surplus: It.
  ///   - hosts: The objects that have it.
  mutating func add(_ surplus: Surplus, _ hosts: [Int]) {
    let key = Self.key(hosts.first ?? 0)
    let table = table(of: surplus.entity)?.name ?? ""
    func set(_ column: String, _ value: String) -> String {
      "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(key)"
    }
    switch surplus.kind {
    case .metadata: metadata.append(KeyValue(surplus.name, .string(surplus.value)))
    case .property:
      let column = "Z\(surplus.name.uppercased())"
      changes += [
        "ALTER TABLE \(table) ADD COLUMN \(column) VARCHAR", set(column, "'\(surplus.value)'"),
      ]
    case .table:
      changes += [
        "CREATE TABLE \(surplus.name) (id INTEGER PRIMARY KEY, note VARCHAR)",
        "INSERT INTO \(surplus.name) VALUES (1, '\(surplus.value)')",
      ]
    case .foreignColumn:
      let owner = content.model.entities.first { entity in
        entity.attributes.contains { $0.name == surplus.property }
      }
      guard let column = owner.flatMap({ self.column(surplus.property, of: $0.name) }) else {
        break
      }
      changes.append(set(column, "'\(surplus.value)'"))
    case .unreachable, .furtherTop, .outermost, .surrogate:
      guard let column = column(surplus.property, of: surplus.entity) else { break }
      changes.append(
        set(column, "x'\(surplus.transformable.map { String(format: "%02X", $0) }.joined())'"))
    case .wrongEntity: changes.append(set("Z_ENT", "77"))
    case .missingEntity: changes.append(set("Z_ENT", "NULL"))
    case .danglingLink:
      if let column = column(surplus.property, of: surplus.entity) {
        changes.append(set(column, "\(Self.missingKey)"))
      } else {
        insertLinks(surplus, from: key, to: "\(Self.missingKey)")
      }
    case .emptyLink: insertLinks(surplus, from: key, to: "NULL")
    case .doubledLink:
      guard hosts.count == 2 else { break }
      insertLinks(surplus, from: key, to: "\(Self.key(hosts[1]))")
    }
  }

  /// Inserts a link into each table that may have it, without the keys that would refuse some.
  private mutating func insertLinks(_ surplus: Surplus, from key: Int, to target: String) {
    for join in layout.joinTables {
      let isFirst = join.first.relationship == surplus.property
      guard isFirst || join.second.relationship == surplus.property else { continue }
      let columns = join.table.columns.map(\.name)
      let (members, owners) = isFirst ? (join.first, join.second) : (join.second, join.first)
      changes += [
        "CREATE TABLE other AS SELECT * FROM \(join.table.name)", "DROP TABLE \(join.table.name)",
        "CREATE TABLE \(join.table.name) (\(columns.joined(separator: " INTEGER, ")) INTEGER)",
        "INSERT INTO \(join.table.name) SELECT * FROM other", "DROP TABLE other",
        """
        INSERT INTO \(join.table.name) (\(columns[owners.column]), \(columns[members.column]))
          VALUES (\(key), \(target))
        """,
      ]
    }
  }
}
