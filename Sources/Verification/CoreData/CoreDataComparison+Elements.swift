import CoreDataStores
import DataModel
import Importer
import Stores

/// What drafted models have an entity for: elements of collections, and what top-level keys hold.
extension CoreDataComparison {
  /// A table of the relational store, and what its columns are for, in SQL: its rows are called
  /// `r`.
  struct ElementRows {
    var table: String
    var key = "rowid"
    var owner: String?
    var position: String?
    var keys: String?
    var keyReference: String?
    var keyType: String?
    var values: String?
    var reference: String?
    var type: String?
  }

  /// The rows that an entity of a drafted model has; nil if the relational store has no such table.
  func elements(_ drafted: DraftedTable) -> ElementRows? {
    switch drafted {
    case .collections:
      return ElementRows(table: RelationalLayout.collectionTable, key: "id")
    case .topLevel:
      return ElementRows(
        table: RelationalLayout.topTable,
        owner: "(SELECT a.path FROM \(Self.origin).\(RelationalLayout.archiveTable) AS a "
          + "WHERE a.id = r.archive_id)",
        keys: "r.\"key\"", values: "r.value", reference: "r.\"row\"", type: "r.entity")
    case .collectionElements, .overflow, .elements: break
    }
    guard let found = plan.elementTable(of: drafted) else { return nil }
    func name(_ column: Int?) -> String? {
      column.map { "r.\(SQL.quoted(found.table.columns[$0].name))" }
    }
    return ElementRows(
      table: found.table.name, owner: name(found.owner), position: name(found.position),
      keys: name(found.key), keyReference: name(found.keyReference), keyType: name(found.keyType),
      values: name(found.value), reference: name(found.reference),
      type: name(found.referenceType))
  }

  /// Compares all properties of an entity of elements.
  func compareElements(of storage: CoreDataLayout.EntityStorage) throws(StoreError) {
    guard let rows = storage.entity.draftedTable.flatMap(elements) else { return }
    var pairs: [ValuePair] = []
    for attribute in storage.entity.attributes {
      let source: String? =
        switch attribute.draftedPart {
        case .position: rows.position
        case .key: rows.keys
        case .value: rows.values
        case .owner: rows.owner
        default: storage.entity.draftedTable == .collections ? "r.kind" : nil
        }
      guard let source, let column = storage.attributes[attribute.name] else { continue }
      pairs.append(ValuePair(attribute: attribute, source: source, column: column))
    }
    try compare(pairs, storage, table: rows.table, key: rows.key, condition: nil)
    for relationship in storage.entity.references {
      guard case .column(let column) = storage.relationships[relationship.name] else { continue }
      let (source, type): (String?, String?) =
        switch relationship.draftedPart {
        case .owner: (rows.owner, nil)
        case .key: (rows.keyReference, rows.keyType)
        case .value: (rows.reference, rows.type)
        default: (nil, nil)
        }
      guard let source else { continue }
      try compare(
        column, storage, relationship.name, source, type, table: rows.table, key: rows.key, nil)
    }
  }
}
