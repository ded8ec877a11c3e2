import ArchiveReader
internal import CSQLite
import Importer
import Stores

extension ArchiveVerifier {
  /// A value as a column keeps it, which may be declared as one of reals.
  func stored(_ value: ExpectedValue, isReal: Bool) -> StoredValue {
    let stored = StoredValue(value, expectedRows.graph)
    guard isReal else { return stored }
    switch stored {
    case .integer(let value): return .real(Double(value))
    case .real(let value) where value == 0: return .real(0)
    case .text("NaN"): return .null
    default: return stored
    }
  }

  /// Compares the collections that no object holds under a key, and their elements.
  func compareCollections() throws {
    let count = expectedRows.collections.count
    guard count > 0 else { return }
    let name = RelationalLayout.collectionTable
    guard store.has("id", in: name), store.has("kind", in: name),
      let scan = ElementComparison.Scan(RelationalLayout.collectionElements, store)
    else { return difference(nil, name, nil, "", "a table", "nothing") }
    let first = expectedRows.firstCollection
    let range: [StoredValue] = [.integer(first), .integer(first + Int64(count))]
    let cursor = try store.cursor(
      "SELECT id, kind FROM \(name) WHERE id > ? AND id <= ? ORDER BY id", range)
    var elements = ElementComparison(
      scan, self, index: nil, property: "", cursor: try store.cursor(scan.sql, range))
    for (place, collection) in expectedRows.collections.enumerated() {
      var uid: Int?
      if case .object(let entry) = collection.id { uid = entry }
      let row = ExpectedRow(id: first + Int64(place) + 1, uid: uid, entity: name)
      while cursor.isAtRow, let id = cursor.integer(0), id < row.id { try cursor.advance() }
      if cursor.isAtRow, cursor.integer(0) == row.id {
        let kind = cursor.copy(1)
        if kind != .text(collection.kind.rawValue) {
          difference(uid, name, row.id, "kind", "'\(collection.kind.rawValue)'", kind.words)
        }
        try cursor.advance()
      } else {
        difference(uid, name, row.id, "", "a row", "nothing")
      }
      try elements.compare(
        try expectedRows.elements(of: collection.id, collection.kind), of: row)
    }
    try elements.finish()
  }

  /// Compares tables that two sides of a relationship share from the side of the members: their
  /// collections must hold the same links, in their own order.
  func compareInverseSides() throws {
    guard run.links == nil else { return }
    for (entity, form) in plan.layout.entities.enumerated() {
      for (name, place) in form.properties.sorted(by: { $0.key < $1.key }) {
        guard let index = place.inverseElements, expectedRows.ledger.count(of: form.table) > 0
        else {
          continue
        }
        try compareInverseSide(name, index, entity)
      }
    }
  }

  private func compareInverseSide(_ name: String, _ index: Int, _ entity: Int) throws {
    let table = plan.layout.entities[entity].table
    // That it is missing has been told from the other side.
    guard let scan = scans.elements(index, isInverse: true) else { return }
    let count = expectedRows.ledger.count(of: table)
    let first = expectedRows.firstIDs[table]
    let cursor = try store.cursor(scan.sql, [.integer(first), .integer(first + Int64(count))])
    var comparison = ElementComparison(
      scan, self, index: index, isInverse: true, property: name, cursor: cursor)
    for place in 0..<count {
      let (uid, _) = expectedRows.ledger.origin(ofRow: place, table: table)
      guard let uid else { continue }
      var row = ExpectedRow(
        id: first + Int64(place) + 1, uid: uid, entity: plan.layout.entities[entity].name)
      let object = try expectedRows.graph.object(uid)
      if case .plain(let found, _) = expectedRows.use(of: object.class) {
        for use in expectedRows.keys(of: object, found).uses
        where run.properties[found][use.property].name == name {
          guard
            case .collection(let id, let kind) = try expectedRows.graph.value(
              of: object, at: use.position)
          else { continue }
          row.contents[index] = [.collection(id, kind, property: name)]
        }
      }
      try comparison.compare(row)
    }
    try comparison.finish()
  }
}
