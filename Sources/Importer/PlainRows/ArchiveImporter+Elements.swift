import ArchiveReader
import Stores

extension ArchiveImporter {
  /// Writes a property for which the entity's table has no room.
  func writeOverflow(
    _ object: GraphObject, _ position: Int, _ entity: Int, _ property: Int, owner: Int64
  ) throws {
    guard let index = plain.storage[entity][property].overflow else { throw ArchiveError.unplanned }
    let table = plan.layout.elementTables[index]
    let key = graph.keys(ofShape: object.shape)[position]
    let name = plain.names[entity][property]
    let value = try elementValue(try graph.value(of: object, at: position))
    var written = CollectionElement.Written()
    try begin(
      CollectionElement(key: .value(.text(name)), value: value), in: table, owner: owner, &written)
    propertyCounts[entity][property].values += written.values
    propertyCounts[entity][property].links += written.links
    for value in written.inexact { noteLoss(of: value, object, key) }
    try store.insert(elementTable: index)
  }

  // MARK: Collections under keys

  /// Writes the elements of a collection, and hands them over to a profile that goes along, with
  /// the tally of their owner; returns those of which something was lost.
  func writeElements(
    _ collection: OpenCollection, of object: GraphObject, _ entity: Int, owner: Int64,
    _ tally: Int?
  ) throws -> [GraphValue] {
    let storage = plain.storage[entity][collection.property]
    if case .object(let uid) = collection.id, !seenCollections.insert(uid).inserted {
      propertyCounts[entity][collection.property].sharedCollections += 1
    }
    let elements = try graph.elements(of: collection.id, collection.kind)
    if let tally { try profile?.begin(elements, of: object, at: collection.position, tally) }
    defer { profile?.endElements() }
    let isJoin = storage.elements.map { plan.layout.elementTables[$0].inversePosition != nil }
    if isJoin == true || storage.members != nil || storage.inverseElements != nil {
      try noteMembers(elements, storage, context.pairs[entity][collection.property], owner: owner)
      propertyCounts[entity][collection.property].memberLinks += elements.count
      return []
    }
    guard let index = storage.elements else { throw ArchiveError.unplanned }
    let table = plan.layout.elementTables[index]
    var written = CollectionElement.Written()
    for position in 0..<elements.count {
      let archived = try archivedElement(elements, position)
      var element = try CollectionElement(archived) { try elementValue($0) }
      if table.isShared { element.position = position }
      try begin(element, in: table, owner: owner, &written)
      try store.insert(elementTable: index)
    }
    propertyCounts[entity][collection.property].values += written.values
    propertyCounts[entity][collection.property].memberLinks += written.links
    return written.inexact
  }

  /// Notes the members of a to-many relationship whose links are written later or elsewhere: in
  /// the members' own rows, or in a join table together with those of the inverse.
  private func noteMembers(
    _ elements: GraphElements, _ storage: RelationalLayout.PropertyStorage, _ pair: Int?,
    owner: Int64
  ) throws {
    if let pair { inverseLinks.noteOwner(owner, pair) }
    for position in 0..<elements.count {
      let element = try archivedElement(elements, position)
      guard case .object(let uid, let id) = element.value else { throw ArchiveError.unplanned }
      guard let member = try reference(to: uid, id) else { continue }
      if let members = storage.members {
        guard member.entity == members.entity else { throw ArchiveError.unplanned }
        if let pair { inverseLinks.noteMember(member.row, pair) }
        guard let column = members.position else { continue }
        positions.set(Int64(position), entity: member.entity, column: column, row: member.row)
      } else if let table = storage.inverseElements {
        guard plan.layout.elementTables[table].inversePosition != nil else { continue }
        joins.notePosition(Int64(position), table: table, owner: member.row, member: owner)
      } else if let table = storage.elements {
        joins.add(
          .init(owner: owner, member: member.row, position: Int64(position)), table: table)
      }
    }
  }

  /// An element of a collection, noted by the profile that goes along.
  private func archivedElement(
    _ elements: GraphElements, _ position: Int
  ) throws(ArchiveError) -> ArchivedElement {
    let element = try graph.element(of: elements, at: position)
    try profile?.note(element, graph)
    return element
  }

  /// An element of a collection, its rows handed out.
  func element(
    _ elements: GraphElements, _ position: Int
  ) throws -> CollectionElement {
    let archived = try graph.element(of: elements, at: position)
    return try CollectionElement(archived) { try elementValue($0) }
  }

  func elementValue(_ value: GraphValue) throws -> CollectionElement.Value {
    switch value {
    case .null, .nsNull:
      return .nothing
    case .object(let uid, let id):
      let entity = try plainEntity(of: id)
      if entity >= 0 {
        workList.add(uid)
        return .row(RowReference(entity: entity, id: row(of: uid, entity: entity)))
      }
      return try elementOfOther(uid, id)
    case .collection(let id, let kind):
      return .collection(unownedCollections.row(of: id, kind))
    default:
      return .plain(value)
    }
  }

  /// Begins the row of an element in `elementRow`; the caller inserts it.
  func begin(
    _ element: CollectionElement, in table: RelationalLayout.ElementTable, owner: Int64,
    _ written: inout CollectionElement.Written
  ) throws {
    elementRow.clear(table.table.columns.count)
    elementRow.set(table.owner, owner)
    guard elementRow.set(element, in: table, plan, graph, &written) else {
      throw ArchiveError.unplanned
    }
  }
}
