import ArchiveReader
import Foundation

extension ImportSession {
  /// A plain value, copied out of the archive; nothing for objects and collections.
  func plainValue(of value: GraphValue) -> ImportValue {
    graph.importValue(ofPlain: value)
  }

  /// A value of one of Foundation's other classes.
  func foundationValue(_ uid: Int) -> FoundationValue? {
    // The profile has read it: it fails only if the file has changed since.
    try? graph.foundationValue(uid)
  }

  /// Any value, its elements included; objects become rows, or the values that stand for them.
  ///
  /// The depth is that of values of value classes in one another. A text that a string does not
  /// hold is listed under the key, if one is given.
  func importValue(
    of value: GraphValue, under key: String? = nil, depth: Int = 0, objects: ObjectForm = .row
  ) throws -> ImportValue {
    func inner(_ value: GraphValue) throws -> ImportValue {
      if depth > 0 { try budget.spend(on: value, graph) }
      return try importValue(
        of: value, under: key, depth: depth + 1, objects: objects)
    }
    switch value {
    case .object(let uid, let id):
      switch try plan(of: id) {
      case .value, .valueHook: break
      default:
        switch objects {
        case .row: break
        case .handle: return ObjectHandle.value(uid)
        case .dictionary(let outer):
          return try dictionary(of: uid, inside: outer, under: key, depth: depth)
        }
      }
      return try self.value(of: uid, id, depth: depth)
    case .collection(let id, let kind):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let elements = try spentElements(id, kind, depth)
      guard !kind.isKeyed else {
        return .dictionary(
          try (0..<elements.count).map { position in
            ImportValue.Pair(
              try inner(try graph.key(of: elements, at: position)),
              try inner(try graph.value(of: elements, at: position)))
          })
      }
      let becomesRows =
        if case .row = objects { !context.associations.isKept } else { false }
      let values = try (0..<elements.count).map { (position) -> ImportValue in
        let element = try graph.value(of: elements, at: position)
        if becomesRows, depth == 0, case .object(let uid, let id) = element,
          let row = try onlyRow(of: uid, id)
        {
          return presentValue(of: row)
        }
        return try inner(element)
      }
      return kind == .set ? .set(values) : .list(values)
    default:
      return exactValue(of: value, under: key)
    }
  }

  /// An object with all that it holds.
  private func dictionary(
    of uid: Int, inside outer: [Int], under key: String?, depth: Int
  ) throws -> ImportValue {
    if let known = ObjectHandle.value(of: uid, inside: outer) { return known }
    guard depth < Self.maxDepth else {
      throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
    }
    let object = try graph.object(uid)
    let name = ArchivedName.plain(graph.classes[object.class.index].name)
    var pairs = [ImportValue.Pair(.text(ObjectHandle.classKey), .text(name))]
    for (position, name) in graph.keys(ofShape: object.shape).enumerated()
    where name != ObjectHandle.classKey {
      let value = try graph.value(of: object, at: position)
      try budget.spend(on: value, graph)
      try budget.spend(elements: 1)
      pairs.append(
        ImportValue.Pair(
          .text(ArchivedKey.plain(name)),
          try importValue(
            of: value, under: key, depth: depth + 1,
            objects: .dictionary(inside: outer + [uid]))))
    }
    return .dictionary(pairs)
  }

  /// A plain value; a text that a string does not hold is listed under the key, if one is given.
  func exactValue(of value: GraphValue, under key: String?) -> ImportValue {
    if key != nil, value.hasUnpairedSurrogates { noteInexact(value, key) }
    return plainValue(of: value)
  }

  /// The elements of a collection, which count against what may be decoded where the collection
  /// stands in another.
  ///
  /// What keys hold was counted by the profile, for each owner; what stands inside of it, once.
  func spentElements(
    _ id: CollectionID, _ kind: CollectionKind, _ depth: Int,
    _ position: ArchiveError.Position? = nil
  ) throws(ArchiveError) -> GraphElements {
    let elements = try graph.elements(of: id, kind)
    guard depth > 0 else { return elements }
    do {
      try budget.spend(elements: elements.count + 1)
    } catch {
      throw position.map { error.placed(at: $0) } ?? error
    }
    return elements
  }

  /// The value that stands for an object: its row, or the value that its class gives.
  func value(of uid: Int, _ id: ClassID, depth: Int) throws -> ImportValue {
    switch try plan(of: id) {
    case .value(let key):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let object = try graph.object(uid)
      guard let position = graph.position(of: key, in: object) else { return .null }
      workList.add(uid)
      return try importValue(
        of: try graph.value(of: object, at: position), depth: depth + 1)
    case .valueHook(let hook):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      // A value may hold others twice, and these others again.
      try budget.spend(elements: 1)
      workList.add(uid)
      let object = try graph.object(uid)
      return try runValueHook(hook, on: object, depth: depth + 1)
    default:
      return try row(of: uid, id, fitting: []).map(presentValue) ?? .null
    }
  }

  /// The row that an object has become by now, or is going to become; nothing if it became none.
  private func presentValue(of row: RowReference) -> ImportValue {
    context.resolved(row).map { .row($0) } ?? .null
  }

  /// An element of a collection of a row that is not a plain one: what earlier passes made of an
  /// object counts before a plain row.
  func mappedElement(_ elements: GraphElements, _ position: Int) throws -> CollectionElement {
    let archived = try graph.element(of: elements, at: position)
    return try CollectionElement(archived) { value in
      guard case .object(let uid, let id) = value else { return try elementValue(value) }
      return try elementOfOther(uid, id)
    }
  }

  /// The value under a key path of an object.
  ///
  /// The path leads through objects of any class, and through collections to each of their
  /// elements.
  ///
  /// - Throws: `ExpressionFailure` if it leads into a value of one of Foundation's classes.
  func value(
    forKeyPath path: [String], of object: GraphObject, _ objects: ObjectForm = .row, notes: Bool
  ) throws -> ImportValue {
    guard let key = path.first else { return .null }
    guard let position = graph.position(of: key, in: object) else { return .null }
    let value = try graph.value(of: object, at: position)
    return try self.value(
      forKeyPath: path.dropFirst(), of: value, objects, under: notes ? key : nil)
  }

  private func value(
    forKeyPath path: ArraySlice<String>, of value: GraphValue, _ objects: ObjectForm,
    under first: String?, depth: Int = 0
  ) throws -> ImportValue {
    guard let key = path.first else {
      return try importValue(of: value, under: first, depth: depth, objects: objects)
    }
    switch value {
    case .object(let uid, _):
      let object = try graph.object(uid)
      guard let position = graph.position(of: key, in: object) else { return .null }
      return try self.value(
        forKeyPath: path.dropFirst(), of: try graph.value(of: object, at: position), objects,
        under: first, depth: depth)
    case .collection(let id, let kind):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let elements = try spentElements(id, kind, depth)
      if kind == .dictionary {
        for position in 0..<elements.count {
          let found = try graph.key(of: elements, at: position)
          guard plainValue(of: found) == .text(ArchivedName.plain(key)) else { continue }
          return try self.value(
            forKeyPath: path.dropFirst(),
            of: try graph.value(of: elements, at: position), objects, under: first,
            depth: depth + 1)
        }
        return .null
      }
      return .list(
        try (0..<elements.count).map { position in
          try self.value(
            forKeyPath: path, of: try graph.value(of: elements, at: position), objects,
            under: first,
            depth: depth + 1)
        })
    case .foundation(_, let id):
      throw ExpressionFailure(
        .noKeys, name: "\(key): \(graph.classes[id.index].name) is one value")
    default:
      return .null
    }
  }
}
