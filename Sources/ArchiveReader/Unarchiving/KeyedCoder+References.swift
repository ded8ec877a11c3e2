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

  /// A value, a collection, or an object, whose objects are decoded later, without taking stack:
  /// whether there is one, which the closure gets when all are decoded.
  @discardableResult
  public func decodeReferences(
    forKey key: String, resolved: @escaping (DecodedValue) throws -> Void
  ) throws -> Bool {
    try attempt(false) {
      guard let field = try field(key) else { return false }
      if case .null = field.value { return false }
      try checkPlace(field)
      let found = try referenced(field.value, allowedClasses(nil), field.place)
      unarchiver.resolvers.append { try resolved(try found()) }
      return true
    }
  }

  /// Requests the objects in a value; what is returned gives it when they have been decoded.
  private func referenced(
    _ value: GraphValue, _ classes: [AllowedClass]?, _ place: ArchiveError.Position
  ) throws -> () throws -> DecodedValue {
    switch try unarchiver.settled(value, classes, place) {
    case .value(let value):
      return { value }
    case .object(let uid, let type):
      unarchiver.request(uid, classes)
      return { [unowned unarchiver] in
        guard case .decoded(let found) = unarchiver.slots[uid] else {
          throw ArchiveError(.wrongKind, at: place, name: "\(type)")
        }
        return found
      }
    case .plain(.collection(let id, let kind)):
      return try unarchiver.nested(at: place) {
        let elements = try unarchiver.spentElements(id, kind, place)
        let keys = try (0..<(kind.isKeyed ? elements.count : 0)).map {
          try referenced(try graph.key(of: elements, at: $0), classes, place)
        }
        let values = try (0..<elements.count).map {
          try referenced(try graph.value(of: elements, at: $0), classes, place)
        }
        return {
          DecodedValue(kind, keys: try keys.map { try $0() }, values: try values.map { try $0() })
        }
      }
    case .plain(let value):
      let found = try unarchiver.plain(value, place)
      return { found }
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

/// A reference to an object that is decoded after the one that refers to it.
///
/// So cycles and long lists cost no stack.
public final class ObjectReference<Object> {
  /// The object; nil until the unarchiver has decoded it.
  public internal(set) var object: Object?

  init() {}
}
