import GraphCore

/// To-many relationships, as collections whose elements are looked up when they are asked for.
extension SQLiteStoreGraph {
  /// The collection that a to-many relationship of an object is.
  func collection(_ links: Int, _ place: Int, of uid: Int) -> GraphValue {
    // The source has checked that there are indices for all.
    .collection(.inline(uid * linkStride + place), layout.links[links].kind)
  }

  /// A to-many relationship of an object: the index of its links, and the object's key.
  private func owner(
    of collection: Int
  ) throws(ArchiveError) -> (links: Int, key: Int64) {
    guard collection >= 0,
      let (table, rank) = store.index.location(of: collection / linkStride)
    else { throw ArchiveError(.badCollection, name: "there is no such relationship") }
    let place = collection % linkStride
    // Relationships come after the attributes, and there are few.
    for case .links(let links, place) in properties[tables[table].entity(rank)].reversed() {
      return (links, tables[table].key(rank))
    }
    throw ArchiveError(.badCollection, name: "there is no such relationship")
  }

  /// The position in errors of a to-many relationship.
  private func place(ofCollection collection: Int) -> ArchiveError.Position {
    let uid = collection / linkStride
    let shape = store.index.location(of: uid).map { tables[$0.table].entity($0.rank) } ?? 0
    let place = collection % linkStride
    let name = zip(layout.entities[shape].keys, properties[shape]).first {
      if case .links(_, place) = $0.1 { true } else { false }
    }?.0
    return store.position(of: uid, name)
  }

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    guard case .inline(let index) = collection else {
      throw ArchiveError(.badCollection, name: "there is no such relationship")
    }
    let (links, key) = try owner(of: index)
    guard layout.links[links].kind == kind else {
      throw ArchiveError(.badCollection, name: "it is of another kind")
    }
    let location = GraphElements.Location(start: index, form: links)
    do throws(ArchiveError) {
      let count = try reader(ofLinks: links).count(of: key)
      return GraphElements(kind: kind, count: count, keys: location, values: location)
    } catch {
      guard salvages else { throw error.placed(at: place(ofCollection: index)) }
      return GraphElements(kind: kind, count: 0, keys: location, values: location)
    }
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    let (links, key) = try owner(of: elements.values.start)
    do throws(ArchiveError) {
      guard let member = try reader(ofLinks: links).member(position, of: key) else {
        throw ArchiveError(.badCollection, name: "it has no element \(position)")
      }
      return try referred(toKey: member, layout.links[links].target)
    } catch {
      guard salvages else { throw error.placed(at: place(ofCollection: elements.values.start)) }
      return .null
    }
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.badCollection, name: "its elements have no keys")
  }
}
