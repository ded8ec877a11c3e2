extension ObjectReader {
  /// The elements of a collection, unread.
  package mutating func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> CollectionElements {
    switch collection {
    case .inline(let node):
      return try bareElements(of: node, kind)
    case .object(let uid):
      let node = try entry(uid)
      guard case .dictionary(let keys, _) = table.value(of: node),
        (0..<keys.count).contains(where: { table.string(at: table[keys, $0]) == "$class" })
      else { return try bareElements(of: node, kind) }
      return try keyedElements(of: try object(uid), kind)
    }
  }

  /// The element at a place; for pairs, the value.
  package mutating func value(
    of elements: CollectionElements, at position: Int
  ) throws(ArchiveError) -> ArchivedValue {
    guard let node = node(of: elements.values, at: position) else { return .null }
    return try value(of: node)
  }

  /// The key of the pair at a place.
  package mutating func key(
    of elements: CollectionElements, at position: Int
  ) throws(ArchiveError) -> ArchivedValue {
    guard let node = node(of: elements.keys, at: position) else { return .null }
    return try value(of: node)
  }

  /// The UID of the element at a place, if it is a reference.
  package func uid(of elements: CollectionElements, at position: Int) -> Int? {
    node(of: elements.values, at: position).flatMap { table.uid(of: $0) }
  }

  /// Where the key or the value at a place stands.
  func node(of source: ElementSource, at position: Int) -> Node? {
    switch source {
    case .none: return nil
    case .run(let run): return table[run, position]
    case .numbered(let values, let shape, let part):
      let positions =
        part == .keys ? shapes[shape].numberedKeys : shapes[shape].numberedValues
      return table[values, positions[position]]
    }
  }

  /// The elements of an array or a dictionary of the property list itself.
  private func bareElements(
    of node: Node, _ kind: CollectionKind
  ) throws(ArchiveError) -> CollectionElements {
    switch table.value(of: node) {
    case .array(let run), .set(let run):
      return CollectionElements(kind: kind, count: run.count, keys: .none, values: .run(run))
    case .dictionary(let keys, let values):
      return CollectionElements(
        kind: kind, count: keys.count, keys: .run(keys), values: .run(values))
    default:
      throw ArchiveError(.badCollection, name: "its elements are missing")
    }
  }

  /// The elements of an object that is a collection.
  private mutating func keyedElements(
    of object: ArchivedObject, _ kind: CollectionKind
  ) throws(ArchiveError) -> CollectionElements {
    func damaged() -> ArchiveError {
      ArchiveError(.badCollection, at: .object(object.uid, key: nil), name: "its keys do not fit")
    }
    guard let known = classes[object.class.index].known,
      var form = shapes[object.shape].form(for: known)
    else { throw damaged() }
    if case .unfit = form { form = lenientForm(of: object.shape, for: known, object.values) }
    switch form {
    case .arrays(let keys, let values):
      guard case .array(let run) = table.value(of: table[object.values, values]) else {
        throw damaged()
      }
      guard let keys else {
        return CollectionElements(kind: kind, count: run.count, keys: .none, values: .run(run))
      }
      guard case .array(let keyRun) = table.value(of: table[object.values, keys]),
        keyRun.count == run.count
      else { throw damaged() }
      return CollectionElements(
        kind: kind, count: run.count, keys: .run(keyRun), values: .run(run))
    case .numbered:
      func source(_ part: NumberedPart) -> ElementSource {
        .numbered(values: object.values, shape: object.shape, part: part)
      }
      // "NS.object0" is what a counted set counts: the key of the pair.
      return CollectionElements(
        kind: kind, count: shapes[object.shape].numberedValues.count,
        keys: kind.isKeyed ? source(.keys) : .none, values: source(.values))
    default:
      throw damaged()
    }
  }
}
