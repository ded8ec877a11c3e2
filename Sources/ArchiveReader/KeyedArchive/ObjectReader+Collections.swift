extension ObjectReader {
  /// The elements of a collection, unread.
  package mutating func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    switch collection {
    case .inline(let index):
      return try bareElements(of: Node(index: index), kind)
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
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    guard let node = node(of: elements.values, at: position) else { return .null }
    return try value(of: node)
  }

  /// The key of the pair at a place.
  package mutating func key(
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    guard let node = node(of: elements.keys, at: position) else { return .null }
    return try value(of: node)
  }

  /// The node of the key or the value at a place.
  func node(of elements: GraphElements.Location, at position: Int) -> Node? {
    guard !elements.isNone else { return nil }
    let run = Node.Run(offset: elements.start, count: 0)
    guard !elements.isRun else { return table[run, position] }
    let shape = shapes[elements.shape]
    let positions = elements.part == .keys ? shape.numberedKeys : shape.numberedValues
    return table[run, positions[position]]
  }

  /// The elements of an array or a dictionary of the property list itself.
  private func bareElements(
    of node: Node, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    switch table.value(of: node) {
    case .array(let run), .set(let run):
      return GraphElements(kind: kind, count: run.count, keys: .none, values: .run(run))
    case .dictionary(let keys, let values):
      return GraphElements(
        kind: kind, count: keys.count, keys: .run(keys), values: .run(values))
    default:
      throw ArchiveError(.badCollection, name: "its elements are missing")
    }
  }

  /// The elements of an object that is a collection.
  private mutating func keyedElements(
    of object: GraphObject, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    func damaged() -> ArchiveError {
      ArchiveError(.badCollection, at: .object(object.uid, key: nil), name: "its keys do not fit")
    }
    guard let known = classes[object.class.index].known,
      var form = shapes[object.shape].form(for: known)
    else { throw damaged() }
    if case .unfit = form { form = lenientForm(of: object.shape, for: known, values(of: object)) }
    switch form {
    case .arrays(let keys, let values):
      guard case .array(let run) = table.value(of: node(of: object, at: values)) else {
        throw damaged()
      }
      guard let keys else {
        return GraphElements(kind: kind, count: run.count, keys: .none, values: .run(run))
      }
      guard case .array(let keyRun) = table.value(of: node(of: object, at: keys)),
        keyRun.count == run.count
      else { throw damaged() }
      return GraphElements(
        kind: kind, count: run.count, keys: .run(keyRun), values: .run(run))
    case .numbered:
      func source(_ part: NumberedPart) -> GraphElements.Location {
        .numbered(values(of: object), shape: object.shape, part)
      }
      // "NS.object0" is what a counted set counts: the key of the pair.
      return GraphElements(
        kind: kind, count: shapes[object.shape].numberedValues.count,
        keys: kind.isKeyed ? source(.keys) : .none, values: source(.values))
    default:
      throw damaged()
    }
  }
}

extension ObjectReader {
  /// The kinds of numbered keys: "NS.key.3" and "NS.object.3".
  enum NumberedPart: Int {
    case keys
    case values
  }
}

/// The places of elements in an archive.
extension GraphElements.Location {
  /// There are none: only pairs have keys.
  static var none: Self { Self(start: 0, form: -2) }
  private static let runForm = -1

  /// A run of references.
  static func run(_ run: Node.Run) -> Self { Self(start: run.offset, form: runForm) }

  /// Under numbered keys of an object of a shape.
  static func numbered(_ values: Node.Run, shape: Int, _ part: ObjectReader.NumberedPart) -> Self {
    Self(start: values.offset, form: shape << 1 | part.rawValue)
  }

  var isNone: Bool { form == Self.none.form }
  var isRun: Bool { form == Self.runForm }
  /// The shape whose numbered keys they are under, and which of them.
  var shape: Int { form >> 1 }
  var part: ObjectReader.NumberedPart { form & 1 == 0 ? .keys : .values }
}
