import ArchiveReader
import Stores

extension ArchiveImporter {
  /// Writes what each top-level key holds.
  func writeTopLevel() throws {
    for entry in graph.source.roots {
      let held = try graph.value(of: entry)
      try profile?.visitUnowned(held, at: .topLevelKey(entry.key), graph)
      let value = try elementValue(try unwrapped(held))
      var target: (table: String, row: Int64)?
      switch value {
      case .nothing: break
      case .plain, .value: counts.topLevelValues += 1
      case .row(let row): target = (plan.layout.table(of: row.entity).name, row.id)
      case .collection(let row): target = (RelationalLayout.collectionTable, row)
      }
      var inexact: GraphValue?
      try store.insert(into: RelationalLayout.topTable) { row in
        row.set(0, archiveID)
        row.set(1, ArchivedKey.plain(entry.key))
        if case .value(let value) = value { row.set(2, value) }
        if case .plain(let value) = value, !row.set(2, to: value, graph) { inexact = value }
        if let target {
          row.set(3, target.table)
          row.set(4, target.row)
        }
      }
      if let inexact { noteLoss(of: inexact, uid: nil, class: "", key: entry.key) }
    }
  }

  /// Puts every object that an object refers to on the work list.
  func reachAll(of object: GraphObject) throws {
    try graph.forEachReference(of: object, maxDepth: Self.maxDepth) { workList.add($0) }
  }

  /// Puts every object in a value on the work list.
  func reach(_ value: GraphValue) throws {
    try graph.forEachReference(in: value, maxDepth: Self.maxDepth) { workList.add($0) }
  }

  /// Writes a collection that a top-level key or another collection holds.
  func writeUnowned(_ collection: UnownedCollections.Entry) throws {
    try writeUnownedRow(collection)
    try profile?.visitUnownedElements(collection.id, collection.kind, at: .topLevel, graph)
    let elements = try graph.elements(of: collection.id, collection.kind)
    for position in 0..<elements.count {
      try writeUnownedElement(try element(elements, position), position, of: collection)
    }
  }

  func writeUnownedRow(_ collection: UnownedCollections.Entry) throws {
    try store.insert(into: RelationalLayout.collectionTable) { row in
      row.set(0, collection.row)
      row.set(1, collection.kind.rawValue)
    }
  }

  func writeUnownedElement(
    _ element: CollectionElement, _ position: Int, of collection: UnownedCollections.Entry
  ) throws {
    var written = CollectionElement.Written()
    let table = RelationalLayout.collectionElements
    try begin(element, in: table, owner: collection.row, &written)
    for value in written.inexact {
      noteLoss(of: value, uid: collection.id.uid, class: "", key: "\(position)")
    }
    try store.insertCollectionElement()
    counts.collectionValues += written.values
    counts.collectionLinks += written.links
  }

  /// Lists a value of which something was lost.
  func noteLoss(of value: GraphValue, _ object: GraphObject, _ key: String) {
    noteLoss(
      of: value, uid: object.uid, class: graph.classes[object.class.index].name, key: key)
  }

  private func noteLoss(
    of value: GraphValue, uid: Int?, class name: String, key: String
  ) {
    let location = ImportFindings.Location(
      archive: path, uid: uid.map { graph.source.reportedNumber(ofObject: $0) }, className: name,
      key: key)
    context.report.addLoss(of: value, at: location)
  }

  /// Lists a collection whose order is lost, if it has several elements and one.
  func noteDroppedOrder(
    of value: GraphValue, _ object: GraphObject, _ key: String
  ) throws(ArchiveError) {
    guard case .collection(let id, let kind) = value, kind.isOrdered,
      try graph.elements(of: id, kind).count > 1
    else { return }
    context.report.add(
      ImportLoss(
        archive: path, uid: graph.source.reportedNumber(ofObject: object.uid),
        className: graph.classes[object.class.index].name, key: key,
        before: ImportValue.list([]).kind, after: ImportValue.set([]).kind,
        reason: ConvertedValue.Loss.orderDropped.reason))
  }

  /// Writes what could not be written with the rows.
  func writeLinks() throws {
    // Members that were written before their owner have got their position since.
    try store.setPositions(positions.lateUpdates)
    for (index, table) in plan.layout.elementTables.enumerated() {
      guard let inversePosition = table.inversePosition, let reference = table.reference else {
        continue
      }
      for link in joins.links[index] ?? [] {
        elementRow.clear(table.table.columns.count)
        elementRow.set(table.owner, link.owner)
        elementRow.set(reference, link.member)
        if let column = table.position, let position = link.position {
          elementRow.set(column, position)
        }
        if let position = joins.inversePosition(of: link, table: index) {
          elementRow.set(inversePosition, position)
        }
        try store.insert(elementTable: index)
      }
    }
  }

  /// Writes which rows came from the archive: those after the last rows of tables before it.
  func writeRanges(after firstIDs: [Int64]) throws {
    func write(_ table: String, _ range: ClosedRange<Int64>) throws {
      try store.insert(into: RelationalLayout.rowsTable) { row in
        row.set(0, archiveID)
        row.set(1, table)
        row.set(2, range.lowerBound)
        row.set(3, range.upperBound)
      }
    }
    for (index, table) in plan.layout.tables.enumerated() {
      let (before, last) = (firstIDs[index], rows.lastIDs[index])
      if last > before { try write(table.name, before + 1...last) }
    }
    if let range = unownedCollections.range { try write(RelationalLayout.collectionTable, range) }
  }

  /// Writes which object a row was.
  func writeProvenance(_ object: GraphObject, _ entity: Int, _ id: Int64) throws {
    if routes?.source !== graph.source { routes = ObjectRoutes(graph.copy()) }
    let place = try routes?.cells(of: object.uid) ?? []
    try store.insert(into: RelationalLayout.objectsTable) { row in
      row.set(0, archiveID)
      row.set(1, graph.source.number(ofObject: object.uid))
      row.set(2, ArchivedName.plain(graph.classes[object.class.index].name))
      row.set(3, plan.layout.table(of: entity).name)
      row.set(4, id)
      for (column, value) in place.enumerated() {
        switch value {
        case .text(let text): row.set(5 + column, text)
        case .integer(let number): row.set(5 + column, number)
        default: break
        }
      }
    }
  }
}

extension CollectionID {
  /// The entry of `$objects` that the collection is, if it is one.
  fileprivate var uid: Int? {
    if case .object(let uid) = self { uid } else { nil }
  }
}
