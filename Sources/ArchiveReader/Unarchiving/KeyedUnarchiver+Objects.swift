extension KeyedUnarchiver {
  /// The way to decode an object, or the value that stands for it.
  enum Settled {
    case object(uid: Int, type: any KeyedDecodable.Type)
    case plain(GraphValue)
    case value(DecodedValue)
  }

  /// Finds out what decodes the object that a value is, if it is one.
  func settled(
    _ value: GraphValue, _ classes: [AllowedClass]?, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> Settled {
    guard case .object(let uid, let id) = value else {
      try check(value, classes, place)
      return .plain(value)
    }
    let record = graph.classes[id.index]
    switch resolver.resolution(of: id, record) {
    case .type(let type):
      if let classes, !resolver.isAllowed(type, classes) {
        throw ArchiveError(.classNotAllowed, at: place, name: record.name)
      }
      return .object(uid: uid, type: type)
    case .known(let known):
      // It has the name of another class, or its keys are not those of its own.
      (graph as? ArchiveGraph)?.read(id, as: known)
      let again = try graph.value(ofObject: uid)
      if case .object = again {
        throw ArchiveError(.misfitObject, at: .object(uid, key: nil), name: known.className)
      }
      try check(again, classes, place)
      return .plain(again)
    case .value(let value):
      return .value(value)
    case .unknown:
      if let classes, !classes.isEmpty, options.requiresSecureCoding {
        throw ArchiveError(.classNotAllowed, at: place, name: record.name)
      }
      throw ArchiveError(.unknownClass, at: place, name: record.name)
    }
  }

  private func check(
    _ value: GraphValue, _ classes: [AllowedClass]?, _ place: ArchiveError.Position
  ) throws(ArchiveError) {
    guard let classes else { return }
    var (known, name) = (value.knownClass, value.knownClass?.className)
    if case .foundation(_, let id) = value {
      (known, name) = (graph.classes[id.index].known, graph.classes[id.index].name)
    }
    guard let known, !resolver.isAllowed(known, classes) else { return }
    throw ArchiveError(.classNotAllowed, at: place, name: name)
  }

  // MARK: In place

  /// Decodes a value in place, with the objects and elements in it.
  func decoded(
    _ value: GraphValue, _ classes: [AllowedClass]?, _ place: ArchiveError.Position
  ) throws -> DecodedValue {
    switch try settled(value, classes, place) {
    case .value(let value): return value
    case .object(let uid, let type): return try object(uid, type, classes, place)
    case .plain(.collection(let id, let kind)):
      return try nested(at: place) { try collection(id, kind, classes, place) }
    case .plain(let value): return try plain(value, place)
    }
  }

  /// Runs a body one level deeper.
  func nested<R>(at place: ArchiveError.Position, _ body: () throws -> R) throws -> R {
    guard depth < options.depth else {
      throw ArchiveError(.tooDeep, at: place, name: "\(options.depth)")
    }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  private func collection(
    _ id: CollectionID, _ kind: CollectionKind, _ classes: [AllowedClass]?,
    _ place: ArchiveError.Position
  ) throws -> DecodedValue {
    let elements = try spentElements(id, kind, place)
    var (keys, values): ([DecodedValue], [DecodedValue]) = ([], [])
    for position in 0..<elements.count {
      if kind.isKeyed {
        keys.append(try decoded(try graph.key(of: elements, at: position), classes, place))
      }
      values.append(try decoded(try graph.value(of: elements, at: position), classes, place))
    }
    return DecodedValue(kind, keys: keys, values: values)
  }

  /// The elements of a collection, which count against what may be decoded.
  func spentElements(
    _ id: CollectionID, _ kind: CollectionKind, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> GraphElements {
    let elements = try graph.elements(of: id, kind)
    try spend(at: place) { (budget) throws(ArchiveError) in
      try budget.spend(elements: elements.count + 1)
    }
    return elements
  }

  // MARK: Objects

  /// Decodes an object, or gives the one that was decoded before.
  func object(
    _ uid: Int, _ type: any KeyedDecodable.Type, _ classes: [AllowedClass]?,
    _ place: ArchiveError.Position
  ) throws -> DecodedValue {
    switch slots[uid] {
    case .decoded(let value): return value
    case .failed(let error): throw error
    case .decoding(let early?, _):
      slots[uid] = .decoding(early: early, isHandedOut: true)
      return .object(early)
    case .decoding(nil, _):
      throw ArchiveError(.cyclicObject, at: place, name: "\(uid)")
    case nil: break
    }
    return try nested(at: place) {
      slots[uid] = .decoding(early: nil, isHandedOut: false)
      do {
        let value = try decodedObject(uid, type, classes)
        slots[uid] = .decoded(value)
        return value
      } catch {
        // It is not tried again: what fails may refer to more that fails.
        slots[uid] = .failed(error)
        throw error
      }
    }
  }

  private func decodedObject(
    _ uid: Int, _ type: any KeyedDecodable.Type, _ classes: [AllowedClass]?
  ) throws -> DecodedValue {
    let archived = try graph.object(uid)
    let coder = KeyedCoder(of: archived, in: self, classes: classes)
    let made = try type.init(coder: coder)
    if failure != nil { return .object(made) }
    var object = try made.awakeAfter(using: coder)
    if let didDecode = options.didDecode { object = try didDecode(object, coder) }
    if case .decoding(let early?, let isHandedOut) = slots[uid] {
      let isSame = early as AnyObject === object as AnyObject
      guard isSame || !isHandedOut else {
        throw ArchiveError(
          .replacedTooLate, at: .object(uid, key: nil), name: coder.className)
      }
    }
    return .object(object)
  }

  // MARK: References

  /// Puts an object on the list of those that are decoded after the present ones.
  func request(_ uid: Int, _ classes: [AllowedClass]?) {
    if options.requiresSecureCoding, pendingClasses[uid] == nil { pendingClasses[uid] = classes }
    pending.add(uid)
  }

  /// Decodes what is on the list, and then tells those who asked.
  ///
  /// Who asked for what failed is incomplete from then on, and so is who holds one of these.
  /// Therefore the first error is thrown each time.
  func settle() throws {
    guard depth == 0, !isSettling else { return }
    if let settlingError { throw settlingError }
    isSettling = true
    defer { isSettling = false }
    do {
      repeat {
        while failure == nil, let uid = pending.takeNext() { try decodePending(uid) }
        let ready = resolvers
        resolvers = []
        if failure == nil { for resolve in ready { try resolve() } }
      } while !resolvers.isEmpty && failure == nil
      // A large file may be read where it lies.
      try graph.source.check()
    } catch {
      resolvers = []
      guard options.decoding.failurePolicy == .setErrorAndReturn else {
        settlingError = error
        throw error
      }
      if failure == nil { failure = error }
    }
  }

  private func decodePending(_ uid: Int) throws {
    let classes = pendingClasses.removeValue(forKey: uid)
    let place = ArchiveError.Position.object(uid, key: nil)
    guard case .object(_, let type) = try settled(try graph.value(ofObject: uid), nil, place)
    else { return }
    if slots[uid] == nil { _ = try object(uid, type, classes, place) }
  }
}
