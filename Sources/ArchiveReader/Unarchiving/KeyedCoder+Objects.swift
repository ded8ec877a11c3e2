// Objects are decoded in place: what they hold is decoded inside of them, down to a depth. Lists
// and cycles are better read by references.
extension KeyedCoder {
  /// A value, a collection of these, or an object of a known type; nil for nil and where there is
  /// no such key.
  public func decodeObject(forKey key: String) throws -> DecodedValue? {
    try attempt(nil) { try value(of: try field(key), nil) }
  }

  /// An object of a type or its subclasses; nil for nil and where there is no such key.
  public func decodeObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    try attempt(nil) {
      guard let field = try field(key), let value = try value(of: field, [.type(type)]) else {
        return nil
      }
      return try object(type, value, field.place)
    }
  }

  /// A value of one of some classes or their subclasses, as are its elements; nil for nil and where
  /// there is no such key.
  public func decodeObject(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> DecodedValue? {
    try attempt(nil) { try value(of: try field(key), classes) }
  }

  /// A value that a property list can hold: text, a number, bytes, a date, arrays and dictionaries.
  public func decodePropertyList(forKey key: String) throws -> DecodedValue? {
    try decodeObject(ofClasses: AllowedClass.propertyList, forKey: key)
  }

  /// The objects in an array, none of them nil; nil for nil and where there is no such key.
  public func decodeArrayOfObjects<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> [Object]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      return try objects(in: field, [.type(type)])?.map { try object(type, $0, field.place) }
    }
  }

  /// The values in an array, none of them nil and each of some classes, which arrays must be among
  /// to be elements; nil for nil and where there is no such key.
  public func decodeArrayOfObjects(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> [DecodedValue]? {
    try attempt(nil) { try field(key).flatMap { try objects(in: $0, classes) } }
  }

  /// The pairs of a dictionary, in the order of the archive and none of them with nil; nil for nil
  /// and where there is no such key.
  public func decodeDictionary(
    withKeysOfClasses keyClasses: [AllowedClass], objectsOfClasses objectClasses: [AllowedClass],
    forKey key: String
  ) throws -> [DecodedValue.Pair]? {
    try attempt(nil) {
      guard let field = try field(key),
        let pairs = try collection(field, "a dictionary", { $0 == .dictionary })
      else { return nil }
      return try unarchiver.nested(at: field.place) {
        try (0..<pairs.count).map { position in
          DecodedValue.Pair(
            try element(try graph.key(of: pairs, at: position), keyClasses, field.place),
            try element(try graph.value(of: pairs, at: position), objectClasses, field.place))
        }
      }
    }
  }

  // MARK: The top level

  /// The value of a key of `$top`, with all that it refers to; nil for nil and where there is no such
  /// key.
  public func decodeTopLevelObject(forKey key: String) throws -> DecodedValue? {
    try topLevel { try decodeObject(forKey: key) }
  }

  /// The object of a type under a key of `$top`, with all that it refers to; nil for nil and where
  /// there is no such key.
  public func decodeTopLevelObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    try topLevel { try decodeObject(of: type, forKey: key) }
  }

  /// The value of a key of `$top`, of one of some classes, with all that it refers to; nil for nil
  /// and where there is no such key.
  public func decodeTopLevelObject(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> DecodedValue? {
    try topLevel { try decodeObject(ofClasses: classes, forKey: key) }
  }

  private func topLevel<R>(_ body: () throws -> R?) throws -> R? {
    if let object {
      try failWithError(ArchiveError(.notTopLevel, at: .object(object.uid, key: nil)))
      return nil
    }
    let result = try body()
    try unarchiver.settle()
    return result
  }

  // MARK: Fields

  /// The value in a field, of some classes; nil for nil.
  func value(of field: ArchivedField?, _ classes: [AllowedClass]?) throws -> DecodedValue? {
    guard let field else { return nil }
    try checkPlace(field)
    let value = try unarchiver.decoded(field.value, allowedClasses(classes), field.place)
    return value.isNull ? nil : value
  }

  /// The given classes; where there are none, those that security demands.
  func allowedClasses(_ classes: [AllowedClass]?) -> [AllowedClass]? {
    guard classes == nil, requiresSecureCoding else { return classes }
    return (self.classes ?? []) + AllowedClass.propertyList
  }

  /// Objects stand after references: a value in the place of one is for lenient coders.
  func checkPlace(_ field: ArchivedField) throws(ArchiveError) {
    guard unarchiver.hasReferences, !field.isReference else { return }
    if isStrict { throw field.wrongKind(expected: "an object") }
    note([.inlineObject], field)
  }

  /// The collection in a field; nil for nil.
  func collection(
    _ field: ArchivedField, _ expected: String, _ isOne: (CollectionKind) -> Bool
  ) throws -> GraphElements? {
    let settled = try unarchiver.settled(field.value, nil, field.place)
    if case .plain(.null) = settled { return nil }
    try checkPlace(field)
    guard case .plain(.collection(let id, let kind)) = settled, isOne(kind) else {
      throw field.wrongKind(expected: expected)
    }
    return try unarchiver.spentElements(id, kind, field.place)
  }

  /// The elements of a collection without keys, each decoded by a body; nil for nil, which no
  /// element may be.
  func elements(
    of field: ArchivedField, isOne: (CollectionKind) -> Bool,
    _ decode: (GraphValue) throws -> DecodedValue
  ) throws -> [DecodedValue]? {
    // What stands for an object of an unknown class may be an array, too.
    switch try unarchiver.settled(field.value, nil, field.place) {
    case .value(.null): return nil
    case .value(.array(let found)): return try found.map { try notNil($0, field.place) }
    default: break
    }
    guard let elements = try collection(field, "an array", isOne) else { return nil }
    return try unarchiver.nested(at: field.place) {
      try (0..<elements.count).map { position in
        try notNil(try decode(try graph.value(of: elements, at: position)), field.place)
      }
    }
  }

  /// The elements of an array, of some classes; nil for nil.
  private func objects(
    in field: ArchivedField, _ classes: [AllowedClass]
  ) throws -> [DecodedValue]? {
    try elements(of: field, isOne: { $0 == .array }) { try element($0, classes, field.place) }
  }

  /// An element of a collection, of some classes.
  private func element(
    _ value: GraphValue, _ classes: [AllowedClass], _ place: ArchiveError.Position
  ) throws -> DecodedValue {
    try notNil(try unarchiver.decoded(value, classes, place), place)
  }

  private func object<Object: KeyedDecodable>(
    _ type: Object.Type, _ value: DecodedValue, _ place: ArchiveError.Position
  ) throws -> Object {
    guard case .object(let found) = value, let object = found as? Object else {
      throw ArchiveError(.wrongKind, at: place, name: "\(type)")
    }
    return object
  }

  private func notNil(
    _ value: DecodedValue, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> DecodedValue {
    guard !value.isNull else { throw ArchiveError(.nilElement, at: place) }
    return value
  }
}
