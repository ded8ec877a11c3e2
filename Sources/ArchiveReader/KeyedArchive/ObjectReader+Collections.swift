// Plain values in objects of their own: NSMutableString and its like.
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

extension ObjectReader {
  /// The value of an entry that is an object of a class of texts, data or numbers, or a reference
  /// to one; nil for anything else.
  ///
  /// - Returns: The value as if it stood bare, and the class records on the way to it.
  func wrappedValue(
    _ uid: Int
  ) throws(ArchiveError) -> (value: Node.Value, records: [Int])? {
    var next = uid
    var wrappers: [KnownClass] = []
    var records: [Int] = []
    for _ in 0..<limits.chain {
      var value = table.value(of: try entry(next))
      if case .dictionary(let keys, let values) = value {
        guard let wrapper = try wrapper(keys, values) else { return nil }
        wrappers.append(wrapper.known)
        records.append(wrapper.record)
        value = table.value(of: wrapper.content)
      }
      switch value {
      case .uid(let uid): next = uid
      case .text(let text) where isNull(text): return nil
      default: return unwrapped(value, wrappers).map { ($0, records) }
      }
    }
    return nil
  }

  /// The content of an object of a class of texts, data or numbers; nil for any other.
  private func wrapper(
    _ keys: Node.Run, _ values: Node.Run
  ) throws(ArchiveError) -> (known: KnownClass, content: Node, record: Int)? {
    guard let record = classRecord(keys, values), let known = try knownClass(ofRecord: record)
    else { return nil }
    switch known {
    case .string, .data, .number: break
    default: return nil
    }
    guard case .single(let position) = form(of: known, keys, values) else { return nil }
    return (known, table[values, position], record)
  }

  /// The class record that an object refers to.
  func classRecord(_ keys: Node.Run, _ values: Node.Run) -> Int? {
    position(of: "$class", keys).flatMap { table.uid(of: table[values, $0]) }
  }

  /// The known class that a class record names.
  func knownClass(ofRecord record: Int) throws(ArchiveError) -> KnownClass? {
    guard let (keys, values) = table.dictionary(at: table.offset(of: try entry(record))),
      let place = position(of: "$classname", keys),
      let name = table.name(at: table[values, place])
    else { return nil }
    return KnownClass(archivedName: name)
  }

  /// The form in which an object holds the value of a class; nil if it has other keys that are not
  /// nil.
  func form(of known: KnownClass, _ keys: Node.Run, _ values: Node.Run) -> ValueForm? {
    let names = (0..<keys.count).map { table.name(at: table[keys, $0]) ?? "" }
    let finder = ValueForm.Finder(shapeKeys: names)
    let form = finder.form(of: known)
    guard case .unfit = form else { return form }
    guard let lenient = finder.lenientForm(of: known),
      lenient.unknownKeys.allSatisfy({ isNull(table[values, $0]) })
    else { return nil }
    return lenient.form
  }

  /// The value that is left when objects around it are taken off, the innermost first.
  private func unwrapped(
    _ value: Node.Value, _ wrappers: [KnownClass]
  ) -> Node.Value? {
    var value = value
    for known in wrappers.reversed() {
      switch (known, value) {
      case (.string, .text), (.data, .data), (.number, .bool), (.number, .integer),
        (.number, .wideInteger), (.number, .real):
        break
      case (.string, .data(let range))
      where unsafe String(validating: table.bytes(range), as: UTF8.self) != nil:
        value = .text(Text(bytes: range, encoding: .utf8))
      default: return nil
      }
    }
    return value
  }
}
