extension KeyedCoder {
  /// A reference to an object that is decoded later, without taking stack; nil for nil and where
  /// there is no such key.
  public func decodeReference<Object: KeyedDecodable>(
    to type: Object.Type = Object.self, forKey key: String
  ) throws -> ObjectReference<Object>? {
    let reference = ObjectReference<Object>()
    let isThere = try decodeReference(to: type, forKey: key) { reference.object = $0 }
    return isThere ? reference : nil
  }

  /// An object that is decoded later, without taking stack: whether there is one, which the closure
  /// gets when all are decoded.
  @discardableResult
  public func decodeReference<Object: KeyedDecodable>(
    to type: Object.Type = Object.self, forKey key: String,
    resolved: @escaping (Object) throws -> Void
  ) throws -> Bool {
    try attempt(false) {
      guard let field = try field(key) else { return false }
      if case .null = field.value { return false }
      let found = try referenced(field.value, type, field)
      unarchiver.resolvers.append { try resolved(try found()) }
      return true
    }
  }

  /// The objects in an array or set, none of them nil, decoded later, without taking stack: whether
  /// there are some, which the closure gets in the order of the archive when all are decoded.
  @discardableResult
  public func decodeReferences<Object: KeyedDecodable>(
    to type: Object.Type = Object.self, forKey key: String,
    resolved: @escaping ([Object]) throws -> Void
  ) throws -> Bool {
    try attempt(false) {
      guard let field = try field(key),
        let elements = try collection(field, "an array", { !$0.isKeyed })
      else { return false }
      let found = try (0..<elements.count).map { position in
        try referenced(try graph.value(of: elements, at: position), type, field)
      }
      unarchiver.resolvers.append { try resolved(try found.map { try $0() }) }
      return true
    }
  }

  /// The values of a dictionary, none of them nil, by their keys, each of which is there once,
  /// decoded later, without taking stack: whether there is a dictionary, whose values the closure
  /// gets when all are decoded.
  @discardableResult
  public func decodeReferences<Object: KeyedDecodable, Key: DecodedValueConvertible & Hashable>(
    to type: Object.Type = Object.self, by keys: Key.Type, forKey key: String,
    resolved: @escaping ([Key: Object]) throws -> Void
  ) throws -> Bool {
    try attempt(false) {
      guard let field = try field(key),
        let pairs = try collection(field, "a dictionary", { $0 == .dictionary })
      else { return false }
      var found: [Key: () throws -> Object] = [:]
      for position in 0..<pairs.count {
        let name = try unarchiver.plain(try graph.key(of: pairs, at: position), field.place)
        guard let name = Key.value(of: name), found[name] == nil else {
          throw field.wrongKind(expected: "a dictionary with keys that are \(Key.expectedKind)")
        }
        found[name] = try referenced(try graph.value(of: pairs, at: position), type, field)
      }
      unarchiver.resolvers.append { try resolved(try found.mapValues { try $0() }) }
      return true
    }
  }

  /// Requests the object that a value is; what is returned gives it when it has been decoded.
  private func referenced<Object: KeyedDecodable>(
    _ value: GraphValue, _ type: Object.Type, _ field: ArchivedField
  ) throws -> () throws -> Object {
    if case .null = value { throw ArchiveError(.nilElement, at: field.place) }
    switch try unarchiver.settled(value, [.type(type)], field.place) {
    case .object(let uid, _):
      unarchiver.request(uid, [.type(type)])
      return { [unowned unarchiver, place = field.place] in
        guard case .decoded(.object(let found)) = unarchiver.slots[uid],
          let object = found as? Object
        else { throw ArchiveError(.wrongKind, at: place, name: "\(type)") }
        return object
      }
    case .value(.object(let found as Object)): return { found }
    case .value, .plain: throw field.wrongKind(expected: "\(type)")
    }
  }
}
