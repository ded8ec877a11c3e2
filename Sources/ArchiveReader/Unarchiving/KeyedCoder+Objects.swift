import Foundation

// Objects are decoded in place: what they hold is decoded inside of them, down to a depth. Lists
// and cycles are better read by references.
extension KeyedCoder {
  /// What stands under a key: a value, a collection of these, or an object of a known type.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if it cannot be decoded, and what an object's initializer throws.
  public func decodeObject(forKey key: String) throws -> DecodedValue? {
    try attempt(nil) { try value(of: try field(key), nil) }
  }

  /// An object of a type.
  ///
  /// - Parameters:
  ///   - type: The type; objects of its subclasses are of the type too.
  ///   - key: The key.
  /// - Returns: The object; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if the object is of another class, and what its initializer throws.
  public func decodeObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      guard let value = try value(of: field, [.type(type)]) else { return nil }
      return try object(type, value, field.place)
    }
  }

  /// An object of one of some classes.
  ///
  /// - Parameters:
  ///   - classes: The classes; subclasses are allowed too.
  ///   - key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if it is of another class, or an element is.
  public func decodeObject(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> DecodedValue? {
    try attempt(nil) { try value(of: try field(key), classes) }
  }

  /// The objects in an array.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - key: The key.
  /// - Returns: The objects; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if it is no array, or an element is nil or of another class.
  public func decodeArrayOfObjects<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> [Object]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      return try objects(in: field, [.type(type)])?.map { try object(type, $0, field.place) }
    }
  }

  /// The values in an array, of some classes.
  ///
  /// - Parameters:
  ///   - classes: The classes of the elements; arrays are no elements unless they are among them.
  ///   - key: The key.
  /// - Returns: The values; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if it is no array, or an element is nil or of another class.
  public func decodeArrayOfObjects(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> [DecodedValue]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      return try objects(in: field, classes)
    }
  }

  /// The pairs of a dictionary, of some classes.
  ///
  /// - Parameters:
  ///   - keyClasses: The classes of the keys.
  ///   - objectClasses: The classes of the values.
  ///   - key: The key.
  /// - Returns: The pairs, in the order of the archive; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` if it is no dictionary, or a key or a value is nil or of another
  ///   class.
  public func decodeDictionary(
    withKeysOfClasses keyClasses: [AllowedClass], objectsOfClasses objectClasses: [AllowedClass],
    forKey key: String
  ) throws -> [DecodedValue.Pair]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      guard case .plain(let value) = try unarchiver.settled(field.value, nil, field.place) else {
        throw field.wrongKind(expected: "a dictionary")
      }
      if case .null = value { return nil }
      try checkPlace(field)
      guard case .collection(let id, .dictionary) = value else {
        throw field.wrongKind(expected: "a dictionary")
      }
      let elements = try unarchiver.spentElements(id, .dictionary, field.place)
      return try unarchiver.nested(at: field.place) {
        try (0..<elements.count).map { position in
          let key = try unarchiver.graph.key(of: elements, at: position)
          let value = try unarchiver.graph.value(of: elements, at: position)
          return DecodedValue.Pair(
            try element(key, keyClasses, field.place),
            try element(value, objectClasses, field.place))
        }
      }
    }
  }

  // MARK: Without keys

  /// The next of the values that were encoded without a key.
  ///
  /// They are counted for each object by itself.
  ///
  /// - Returns: The value; nil for nil and after the last one.
  /// - Throws: `ArchiveError` if it cannot be decoded, and what an object's initializer throws.
  public func decodeObject() throws -> DecodedValue? {
    try attempt(nil) { try value(of: try nextUnkeyedField(), nil) }
  }

  // MARK: The top level

  /// What stands under a key of `$top`, with all that it refers to.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` inside of an object, and as `decodeObject(forKey:)`.
  public func decodeTopLevelObject(forKey key: String) throws -> DecodedValue? {
    try topLevel { try decodeObject(forKey: key) }
  }

  /// The object of a type under a key of `$top`, with all that it refers to.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key.
  /// - Returns: The object; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` inside of an object, and as `decodeObject(of:forKey:)`.
  public func decodeTopLevelObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    try topLevel { try decodeObject(of: type, forKey: key) }
  }

  /// What stands under a key of `$top`, of one of some classes, with all that it refers to.
  ///
  /// - Parameters:
  ///   - classes: The classes; subclasses are allowed too.
  ///   - key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` inside of an object, and as `decodeObject(ofClasses:forKey:)`.
  public func decodeTopLevelObject(
    ofClasses classes: [AllowedClass], forKey key: String
  ) throws -> DecodedValue? {
    try topLevel { try decodeObject(ofClasses: classes, forKey: key) }
  }

  private func topLevel<R>(_ body: () throws -> R?) throws -> R? {
    guard let object else {
      let result = try body()
      try unarchiver.settle()
      return result
    }
    return try attempt(nil) {
      throw ArchiveError(.notTopLevel, at: .object(object.uid, key: nil))
    }
  }

  // MARK: Fields

  /// The value in a field; nil for nil.
  func value(of field: ArchivedField?, _ classes: [AllowedClass]?) throws -> DecodedValue? {
    guard let field else { return nil }
    try checkPlace(field)
    let value = try unarchiver.decoded(field.value, allowed(classes), field.place)
    return value.isNull ? nil : value
  }

  /// Objects stand after references: a value in the place of one is for lenient coders.
  func checkPlace(_ field: ArchivedField) throws(ArchiveError) {
    guard !field.isReference else { return }
    if unarchiver.options.decoding.isStrict { throw field.wrongKind(expected: "an object") }
    note(.inlineObject, field)
  }

  /// The classes that count: those of the enclosing object where none are given.
  func allowed(_ classes: [AllowedClass]?) -> [AllowedClass]? {
    guard classes == nil, requiresSecureCoding else { return classes }
    return (self.classes ?? []) + AllowedClass.propertyList
  }

  /// The elements of a collection without keys, each decoded by a body; nil for nil, which no
  /// element may be.
  func elements(
    of field: ArchivedField, in kinds: [CollectionKind],
    _ decode: (GraphValue) throws -> DecodedValue
  ) throws -> [DecodedValue]? {
    func refusingNil(_ value: DecodedValue) throws(ArchiveError) -> DecodedValue {
      try refuseNil(value, field.place)
      return value
    }
    switch try unarchiver.settled(field.value, nil, field.place) {
    case .plain(.null), .value(.null): return nil
    case .value(.array(let found)): return try found.map(refusingNil)
    case .plain(.collection(let id, let kind)) where kinds.contains(kind):
      try checkPlace(field)
      let elements = try unarchiver.spentElements(id, kind, field.place)
      return try unarchiver.nested(at: field.place) {
        try (0..<elements.count).map { position in
          try refusingNil(try decode(try unarchiver.graph.value(of: elements, at: position)))
        }
      }
    default: throw field.wrongKind(expected: "an array")
    }
  }

  /// The elements of an array, of some classes; nil for nil.
  private func objects(
    in field: ArchivedField, _ classes: [AllowedClass]
  ) throws -> [DecodedValue]? {
    try elements(of: field, in: [.array]) { try element($0, classes, field.place) }
  }

  /// An element of a collection, of some classes.
  private func element(
    _ value: GraphValue, _ classes: [AllowedClass], _ place: ArchiveError.Position
  ) throws -> DecodedValue {
    let value = try unarchiver.decoded(value, classes, place)
    try refuseNil(value, place)
    return value
  }

  private func object<Object: KeyedDecodable>(
    _ type: Object.Type, _ value: DecodedValue, _ place: ArchiveError.Position
  ) throws -> Object {
    try refuseNil(value, place)
    guard case .object(let found) = value, let object = found as? Object else {
      throw ArchiveError(.wrongKind, at: place, name: "\(type)")
    }
    return object
  }

  private func refuseNil(
    _ value: DecodedValue, _ place: ArchiveError.Position
  ) throws(ArchiveError) {
    if value.isNull { throw ArchiveError(.nilElement, at: place) }
  }
}
