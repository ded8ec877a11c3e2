import ArchiveReader

/// The objects of a compiled model, or of another archive of a model's parts, read by key.
///
/// It follows no reference unasked, so cycles (entities and their properties refer to each other)
/// and long chains cost nothing. Objects may be shared: how much is read in all is limited.
package struct ModelArchive {
  private enum Limit {
    static let elements = 1_000_000
    static let textBytes = 64 << 20
  }

  package let graph: any ObjectGraph
  private var elementCount = 0
  private var textByteCount = 0

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - limits: The limits for hostile archives.
  ///   - readsFoundationValues: True if values of Foundation's other classes, such as expressions,
  ///     are read as values rather than as objects.
  package init(
    _ archive: KeyedArchive, _ limits: ReadingLimits, readsFoundationValues: Bool = false
  ) {
    graph = archive.makeGraph(
      GraphOptions(limits: limits, readsFoundationValues: readsFoundationValues))
  }

  /// Does a step that can find the archive damaged.
  package static func reading<Result>(
    _ step: () throws(ArchiveError) -> Result
  ) throws(ModelError) -> Result {
    do throws(ArchiveError) {
      return try step()
    } catch {
      throw ModelError(.damagedArchive, name: "\(error)")
    }
  }

  // MARK: Objects

  /// The object under the key `root` of `$top`.
  package mutating func root() throws(ModelError) -> GraphObject? {
    guard let root = graph.source.roots.first(where: { $0.key == "root" }) else { return nil }
    let value = try Self.reading { () throws(ArchiveError) in try graph.value(of: root) }
    return try object(value)
  }

  /// The object that a value is, or nil if it is something else.
  package mutating func object(_ value: GraphValue) throws(ModelError) -> GraphObject? {
    guard case .object(let uid, _) = value else { return nil }
    return try Self.reading { () throws(ArchiveError) in try graph.object(uid) }
  }

  /// True if an object is of a class or a subclass of it.
  package func isA(_ name: String, _ object: GraphObject) -> Bool {
    let record = graph.classes[object.class.index]
    return record.name == name || record.hierarchy.contains(name)
  }

  // MARK: Values

  /// True if an object has a value under a key, be it nothing.
  package func has(_ key: String, _ object: GraphObject) -> Bool {
    graph.position(of: key, in: object) != nil
  }

  /// True if an object has a value under a key that is neither nil nor an empty collection.
  mutating func isSomething(of object: GraphObject, _ key: String) throws(ModelError) -> Bool {
    let value = try value(of: object, key)
    switch value {
    case .null, .nsNull: return false
    case .collection: return try !list(value).isEmpty
    default: return true
    }
  }

  /// The value under a key of an object, nil if there is none.
  package mutating func value(
    of object: GraphObject, _ key: String
  ) throws(ModelError) -> GraphValue {
    guard let position = graph.position(of: key, in: object) else { return .null }
    return try Self.reading { () throws(ArchiveError) in
      try graph.value(of: object, at: position)
    }
  }

  /// The text that a value is, NSMutableString included.
  package mutating func text(_ value: GraphValue) throws(ModelError) -> String? {
    guard case .text(let text) = value else { return nil }
    textByteCount += text.bytes.count
    guard textByteCount <= Limit.textBytes else { throw ModelError(.tooMany, name: "texts") }
    return text.string
  }

  /// The text under a key; nil where it is empty.
  package mutating func text(of object: GraphObject, _ key: String) throws(ModelError) -> String? {
    try text(try value(of: object, key)).flatMap { $0.isEmpty ? nil : $0 }
  }

  package mutating func flag(of object: GraphObject, _ key: String) throws(ModelError) -> Bool? {
    switch try value(of: object, key) {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    default: nil
    }
  }

  package mutating func integer(of object: GraphObject, _ key: String) throws(ModelError) -> Int64?
  {
    guard case .integer(let number) = try value(of: object, key) else { return nil }
    return number
  }

  /// A text, the absolute text of an NSURL, or that of an NSUUID in upper case.
  package mutating func canonicalText(_ value: GraphValue) throws(ModelError) -> String? {
    switch value {
    case .text: try text(value)
    case .uuid(let bytes): UUIDText.text(bytes)
    case .url(let text): text.string
    case .relativeURL(let uid): graph.urlText(uid)
    default: nil
    }
  }

  // MARK: Collections

  /// The elements of a collection, of pairs the values; none if the value is something else.
  package mutating func list(_ value: GraphValue) throws(ModelError) -> [GraphValue] {
    guard case .collection(let id, let kind) = value else { return [] }
    let elements = try elements(of: id, kind)
    var values: [GraphValue] = []
    for position in 0..<elements.count {
      values.append(
        try Self.reading { () throws(ArchiveError) in
          try graph.value(of: elements, at: position)
        })
    }
    return values
  }

  /// The pairs of a dictionary with texts for keys; none if the value is something else.
  ///
  /// An `NSKnownKeysDictionary1` keeps its keys in a separate object that many may share.
  package mutating func pairs(
    of value: GraphValue
  ) throws(ModelError) -> [(key: String, value: GraphValue)] {
    var keys: [GraphValue] = []
    var values: [GraphValue] = []
    if let object = try object(value) {
      guard let mapping = try self.object(try self.value(of: object, "searchMapping")) else {
        return []
      }
      keys = try list(try self.value(of: mapping, "keys"))
      values = try list(try self.value(of: object, "values"))
    } else if case .collection(let id, .dictionary) = value {
      values = try list(value)
      let elements = try elements(of: id, .dictionary)
      for position in 0..<elements.count {
        keys.append(
          try Self.reading { () throws(ArchiveError) in
            try graph.key(of: elements, at: position)
          })
      }
    }
    var pairs: [(key: String, value: GraphValue)] = []
    for (key, value) in zip(keys, values) {
      if let key = try text(key) { pairs.append((key, value)) }
    }
    return pairs
  }

  private mutating func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ModelError) -> GraphElements {
    let elements = try Self.reading { () throws(ArchiveError) in
      try graph.elements(of: collection, kind)
    }
    elementCount += elements.count
    guard elementCount <= Limit.elements else { throw ModelError(.tooMany, name: "elements") }
    return elements
  }
}

/// Descriptions of indexes.
extension ModelArchive {
  private enum ElementType {
    static let rTree: Int64 = 1
  }

  /// The fetch indexes of an `NSEntityDescription`.
  mutating func fetchIndexes(of entity: GraphObject) throws(ModelError) -> [FetchIndex] {
    var indexes: [FetchIndex] = []
    for value in try list(try self.value(of: entity, "NSFetchIndexDescriptions")) {
      guard let object = try self.object(value), isA("NSFetchIndexDescription", object),
        let name = try text(of: object, "NSIndexName")
      else { continue }
      var index = FetchIndex(name: name, elements: [])
      index.isPartial = try self.object(self.value(of: object, "NSPartialIndexPredicate")) != nil
      for value in try list(try self.value(of: object, "NSIndexElements")) {
        guard let element = try self.object(value) else { continue }
        let form = try integer(of: element, "NSFetchIndexElementType") ?? 0
        index.elements.append(
          FetchIndex.Element(
            property: try text(of: element, "NSPropertyName"),
            // Where it is false, the compiler leaves it out.
            isAscending: try flag(of: element, "NSAscending") ?? false,
            form: form == ElementType.rTree ? .rTree : .binary))
      }
      indexes.append(index)
    }
    return indexes
  }
}

extension ModelArchive {
  /// The bits by which compiled models describe a property.
  package enum PropertyBits {
    /// The bits of `_P`, which any property has.
    package enum Common {
      package static let optional: Int64 = 2
      package static let transient: Int64 = 8
      package static let withoutHashModifier: Int64 = 128
      package static let ordered: Int64 = 1024
      /// The bits that are set in all properties of real models.
      package static let always: Int64 = 1
      /// The bits that are set in all properties of real models, none of which has a user info or
      /// rules.
      ///
      /// What each of them means is not known: a property with a user info is written with none.
      package static let withoutUserInfo: Int64 = 16 | 32 | 64
    }

    /// The bits of `NSFlagsKey`, which attributes have.
    package enum Attribute {
      package static let externalStorage: Int64 = 4
      package static let preservedAfterDeletion: Int64 = 16
    }
  }
}
