import GraphCore

/// To-many relationships of destination objects, and collections that are parts of values.
extension MigratedGraph {
  /// The form of elements of relationships: no form of a source's.
  private static let membersForm = Int.min + 1

  /// The objects that a relationship leads to.
  func members(of index: Int, at position: Int) throws(ArchiveError) -> [Int] {
    try members(index, try place(of: index), position)
  }

  func members(
    _ index: Int, _ place: MigrationState.Place, _ position: Int
  ) throws(ArchiveError) -> [Int] {
    let property = state.program.destination.entities[place.entity].properties[position]
    guard case .relationship(_, let pair, let side) = property.content else { return [] }
    if let table = state.tables[pair] { return table.members(of: index, side: side) }
    guard let recipe = place.recipe else { return [] }
    do {
      return try resolver.members(
        state.program.mappings[recipe].values[position], reader, of: place.source, recipe, property)
    } catch let error as ArchiveError {
      throw error.moved(to: self.position(of: index, property.name))
    } catch {
      throw ArchiveError(
        .wrongKind, at: self.position(of: index, property.name), name: "objects: \(error)")
    }
  }

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    if case .inline(let index) = collection, index >= 0, index < firstArchivedCollection {
      let found = try relationship(index)
      guard found.isOrdered == (kind == .orderedSet), kind == .orderedSet || kind == .set else {
        throw ArchiveError(.badCollection, name: "it is of another kind")
      }
      let location = GraphElements.Location(start: index, form: Self.membersForm)
      return GraphElements(
        kind: kind, count: try members(ofCollection: index).count, keys: location,
        values: location)
    }
    return try repositioned(nil) { () throws(ArchiveError) in
      try reader.graph.elements(of: try archived(collection), kind)
    }
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    guard elements.values.form == Self.membersForm else {
      return translated(
        try repositioned(nil) { () throws(ArchiveError) in
          try reader.graph.value(of: elements, at: position)
        })
    }
    let members = try members(ofCollection: elements.values.start)
    guard members.indices.contains(position) else {
      throw ArchiveError(.badCollection, name: "it has no element \(position)")
    }
    return .object(
      uid: members[position], class: try classID(ofLinked: members[position]))
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    guard elements.keys.form != Self.membersForm else {
      throw ArchiveError(.badCollection, name: "its elements have no keys")
    }
    return translated(
      try repositioned(nil) { () throws(ArchiveError) in
        try reader.graph.key(of: elements, at: position)
      })
  }

  // MARK: Numbers of collections

  /// Collections of the source, which are parts of values, have indices from here on.
  var firstArchivedCollection: Int { state.count * state.program.destination.stride }

  private func relationship(
    _ collection: Int
  ) throws(ArchiveError) -> (index: Int, position: Int, isOrdered: Bool) {
    let stride = state.program.destination.stride
    let index = collection / stride
    guard let entity = state.entity(of: index) else {
      throw ArchiveError(.badCollection, name: "there is no such relationship")
    }
    let found = state.program.destination.entities[entity]
    let position = found.attributeCount + collection % stride
    guard position < found.properties.count,
      case .relationship(let relationship, _, _) = found.properties[position].content,
      relationship.isToMany
    else { throw ArchiveError(.badCollection, name: "there is no such relationship") }
    return (index, position, relationship.isOrdered)
  }

  private func members(ofCollection collection: Int) throws(ArchiveError) -> [Int] {
    if let lastMembers, lastMembers.collection == collection { return lastMembers.members }
    let (index, position, _) = try relationship(collection)
    let members = try members(of: index, at: position)
    lastMembers = (collection, members)
    return members
  }
}
