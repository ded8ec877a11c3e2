import Foundation

/// Finds rows by the values of some attributes.
///
/// Takes a key for each row that was made with an identity.
struct IdentityIndex {
  /// A set of attributes that tells rows of an entity apart.
  private struct Kind: Hashable {
    var table: Int
    /// Those with a column by it, since entities of one table share columns.
    var columns: [Int]
    var folding: RelationshipMapping.Folding
  }

  private var rows: [Kind: [[ImportValue]: Int64]] = [:]
  /// Whether the store had rows before the run.
  private let readsStore: Bool

  init(readsStore: Bool) {
    self.readsStore = readsStore
  }

  /// The row with some values, in this run or in the store that it adds to.
  mutating func find(
    _ entity: Int, _ attributes: [Int], _ values: [ImportValue],
    _ folding: RelationshipMapping.Folding, _ context: ImportContext
  ) throws(StoreError) -> Int64? {
    let kind = kind(entity, attributes, folding, context)
    if rows[kind] == nil { rows[kind] = try known(entity, attributes, folding, context) }
    return rows[kind]?[values.map { Self.folded($0, folding) }]
  }

  mutating func add(
    _ id: Int64, _ entity: Int, _ attributes: [Int], _ values: [ImportValue],
    _ folding: RelationshipMapping.Folding, _ context: ImportContext
  ) {
    let kind = kind(entity, attributes, folding, context)
    rows[kind, default: [:]][values.map { Self.folded($0, folding) }] = id
  }

  private func kind(
    _ entity: Int, _ attributes: [Int], _ folding: RelationshipMapping.Folding,
    _ context: ImportContext
  ) -> Kind {
    let shape = context.entities[entity]
    return Kind(
      table: shape.table, columns: attributes.map { shape.attributes[$0].column ?? ~$0 },
      folding: folding)
  }

  /// The rows that the store had before the run.
  private func known(
    _ entity: Int, _ attributes: [Int], _ folding: RelationshipMapping.Folding,
    _ context: ImportContext
  ) throws(StoreError) -> [[ImportValue]: Int64] {
    guard readsStore else { return [:] }
    let shape = context.entities[entity]
    let table = context.plan.layout.tables[shape.table]
    let columns = attributes.compactMap { shape.attributes[$0].column }
    guard columns.count == attributes.count else { return [:] }
    let names = (["id"] + columns.map { table.columns[$0].name }).map(SQL.quoted)
    let found = try context.store.query(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(table.name)) ORDER BY id")
    var rows: [[ImportValue]: Int64] = [:]
    for row in found {
      guard case .integer(let id) = row[0] else { continue }
      let values = zip(row.dropFirst(), attributes).map { stored, number in
        Self.folded(
          ImportValue(stored, as: shape.attributes[number].attribute.type), folding)
      }
      if rows[values] == nil { rows[values] = id }
    }
    return rows
  }

  private static func folded(
    _ value: ImportValue, _ folding: RelationshipMapping.Folding
  ) -> ImportValue {
    // The column has the text alone, and what is unique there tells rows apart.
    if let attributed = value.attributedText {
      return folded(ImportValue(attributed.text), folding)
    }
    guard case .text(let text) = value else { return value }
    switch folding {
    case .none:
      // Swift takes canonically equivalent texts for equal; here each scalar counts.
      return .data(Data(text.utf8))
    case .unicode:
      return .text(text)
    case .case:
      return .text(text.folding(options: .caseInsensitive, locale: nil))
    }
  }
}
