import ArchiveReader
import DataModel
import GraphCore

/// A Core Data store in XML (`NSXMLStoreType`).
///
/// The names of entities and properties are matched to the model without regard to case, since the
/// store does not keep it; values are read as the model says. An XML store that has no hashes, or
/// others than the model, can be read: what does not fit is an error where it stands.
package final class XMLStoreSource: AtomicStoreSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  package let notes: [StoreNote]
  package let content: AtomicStoreContent
  package let byteCount: Int

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file, which are not needed any more afterwards.
  ///   - model: The model that its objects are of.
  ///   - notes: The notes on the choice of the model.
  ///   - limits: The limits for hostile files.
  ///   - salvages: True if a damaged store is read as far as possible; the rest is in `losses`.
  /// - Throws: `ArchiveError` with the line if the store is damaged, or not of the model.
  /// - Complexity: Linear in the size of the file, but for sorting the objects.
  package init(
    _ file: ByteStorage, model: ModelSource, notes: [StoreNote] = [],
    limits: ReadingLimits = .standard, salvages: Bool = false
  ) throws(ArchiveError) {
    let (objects, metadata) = try Reader.read(
      file, schema: AtomicSchema(model.model), limits: limits, salvages: salvages)
    try file.check()
    (modelSource, self.notes) = (model, notes)
    self.metadata = metadata
    content = AtomicStoreContent(objects: objects, archived: nil)
    byteCount = file.count
  }

  /// The metadata of a store, by which its model can be found.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits for hostile files.
  /// - Returns: The metadata, empty where the store has none.
  /// - Throws: `ArchiveError` if the file is no XML store, or damaged before its first object.
  package static func metadata(
    of file: ByteStorage, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> CoreDataMetadata {
    let metadata = try Reader.metadata(of: file, limits: limits)
    try file.check()
    return metadata
  }

  /// The entities of the model of a store without hashes, as far as its objects tell.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits for hostile files.
  /// - Returns: The entities, with the names of their properties.
  /// - Throws: `ArchiveError` if the file is damaged, or has too many names.
  package static func entities(
    of file: ByteStorage, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> StoreEntities {
    let properties = try Reader.properties(of: file, limits: limits)
    try file.check()
    return .properties(properties)
  }

  package var format: SourceFormat { .xmlStore }
  package var residentBytes: Int { content.objects.residentBytes }

  package func check() throws(ArchiveError) {}

  package func place(of bytes: BorrowedBytes) -> ByteRange? {
    content.objects.bytes.place(of: bytes)
  }

  /// A reader that copies the bytes of data values.
  package func makeDataReader() -> NestedDataReader {
    { [self] data throws(ArchiveError) in
      guard data.byteCount > 0, let bytes = content.objects.bytes.bytes(at: data.bytes) else {
        throw ArchiveError(.noValue)
      }
      return ByteStorage(bytes)
    }
  }
}

extension XMLStoreSource.Reader {
  /// The head of an XML store, before its objects: `databaseInfo`, with the metadata in it.
  ///
  /// All of it may be missing, in stores that other programs made.
  struct Head {
    private(set) var uuid = ""
    /// The property list, written again without attributes.
    private var list: [UInt8] = []
    /// The names of the elements that are open in `databaseInfo`.
    private var path: [String] = []
    private let limits: ReadingLimits

    /// The greatest size of the property list, in bytes: far beyond real ones.
    private static let largestList = 64 << 20

    init(limits: ReadingLimits) {
      self.limits = limits
    }

    private var isInList: Bool { path.count >= 2 && path[0] == "metadata" && path[1] == "plist" }

    mutating func start(_ name: String) throws(ArchiveError) {
      guard path.count < limits.depth else { throw limits.exceeded(.depth) }
      path.append(name)
      if isInList { try append("<\(name)>".utf8) }
    }

    mutating func text(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
      if path == ["UUID"] {
        guard uuid.utf8.count + bytes.count <= 1_024 else {
          throw ArchiveError(.damagedMetadata, name: "the UUID is too long")
        }
        uuid += String(decoding: bytes, as: UTF8.self)
      } else if isInList {
        for byte in bytes {
          switch byte {
          case UInt8(ascii: "<"): try append("&lt;".utf8)
          case UInt8(ascii: ">"): try append("&gt;".utf8)
          case UInt8(ascii: "&"): try append("&amp;".utf8)
          default: try append(CollectionOfOne(byte))
          }
        }
      }
    }

    /// Ends the innermost element; returns false if none is open.
    mutating func end() throws(ArchiveError) -> Bool {
      guard let name = path.last else { return false }
      if isInList { try append("</\(name)>".utf8) }
      path.removeLast()
      return true
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
      guard list.count + bytes.count <= Self.largestList else {
        throw ArchiveError(.damagedMetadata, name: "it is too large")
      }
      list.append(contentsOf: bytes)
    }

    /// The metadata of the store.
    func metadata() throws(ArchiveError) -> CoreDataMetadata {
      let uuid = String(uuid.filter { !$0.isWhitespace })
      guard !list.isEmpty else { return CoreDataMetadata(values: [], uuid: uuid) }
      let archive: KeyedArchive
      do throws(ArchiveError) {
        let bytes = ByteStorage(Array("<?xml version=\"1.0\"?>".utf8) + list)
        archive = try KeyedArchive.read(bytes, limits: limits)
      } catch {
        throw ArchiveError(.damagedMetadata, name: "\(error)")
      }
      let graph = archive.makeGraph(GraphOptions(limits: limits))
      var reader = MetadataReader(graph, limits: limits)
      return CoreDataMetadata(values: try reader.values(ofRoots: archive.roots), uuid: uuid)
    }
  }
}

extension XMLStoreSource.Reader {
  /// The names of the properties that the objects of each entity have in a store, as it spells
  /// them.
  ///
  /// Relationships that hold nothing do not count: a reader leaves them out, too.
  ///
  /// - Complexity: Linear in the size of the file.
  static func properties(
    of document: ByteStorage, limits: ReadingLimits
  ) throws(ArchiveError) -> [String: Set<String>] {
    var properties: [String: Set<String>] = [:]
    var entity = ""
    var count = 0
    try XMLStoreEvents.read(document) { (event, _) throws(ArchiveError) in
      guard case .start(let element, let attributes) = event else { return true }
      switch element {
      case "object":
        entity = attributes["type"] ?? ""
        if properties[entity] == nil { properties[entity] = [] }
      case "relationship" where (attributes["idrefs"] ?? "").allSatisfy(\.isWhitespace): return true
      case "attribute", "relationship":
        guard properties[entity]?.insert(attributes["name"] ?? "").inserted == true else {
          return true
        }
        count += 1
      default: return true
      }
      guard properties.count + count <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
      return true
    }
    return properties
  }
}

/// The attributes and relationships of the objects in an XML store.
extension XMLStoreSource.Reader {
  /// The places of the properties of the entity that is read, by their names in any case.
  private mutating func names() -> (attributes: FoldedNames, relationships: FoldedNames) {
    if let known = propertyNames[entity] { return known }
    let found = builder.schema.entities[entity]
    let names = (
      FoldedNames(found.attributes.map(\.name), in: .small),
      FoldedNames(found.relationships.map(\.name), in: .small)
    )
    propertyNames[entity] = names
    return names
  }

  /// The name of a property in errors, with that of its entity.
  private func qualified(_ name: String) -> String {
    "\(builder.schema.entities[entity].name).\(name)"
  }

  /// Notes that a key of the object was met; refuses the second time.
  private mutating func meet(_ key: Int, _ name: String) throws(ArchiveError) -> Bool {
    guard metKeys.insert(key).inserted else {
      try lose(ArchiveError(.repeatedKey, name: name))
      return false
    }
    return true
  }

  // MARK: Attributes

  mutating func startAttribute(_ attributes: [String: String]) throws(ArchiveError) {
    text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
    let name = attributes["name"] ?? ""
    guard let place = try names().attributes.place(of: name) else {
      state = .attribute(.unknown(name))
      return
    }
    state = .attribute(try meet(place, name) ? .known(place) : .repeated)
  }

  mutating func endAttribute(_ attribute: AttributeState) throws(ArchiveError) {
    switch attribute {
    case .repeated: break
    case .unknown(let name):
      // What is not there can be left out.
      guard Self.isBlank(text) else {
        return try lose(ArchiveError(.unknownProperty, name: qualified(name)))
      }
    case .known(let place):
      let property = builder.schema.entities[entity].attributes[place]
      do throws(ArchiveError) {
        let (written, bytes) = (text, builder.bytes)
        let value = try values.value(written, as: property.type, in: bytes)
        builder.set(attribute: place, .plain(value))
      } catch {
        try lose(error)
      }
    }
  }

  // MARK: Relationships

  mutating func startRelationship(_ attributes: [String: String]) throws(ArchiveError) {
    state = .relationship
    let name = attributes["name"] ?? ""
    let words = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
    guard let place = try names().relationships.place(of: name) else {
      guard words.isEmpty else {
        return try lose(ArchiveError(.unknownProperty, name: qualified(name)))
      }
      return
    }
    let key = builder.schema.entities[entity].attributes.count + place
    guard try meet(key, name) else { return }
    var references: [Int32] = []
    references.reserveCapacity(words.count)
    for word in words {
      references.append(try builder.reference(to: Self.name(of: String(word))))
    }
    try builder.set(relationship: place, to: references)
  }
}
