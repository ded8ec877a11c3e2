import ArchiveReader
import ArchiveWriter
import DataModel
import GraphCore
import Support

/// The inspection of a Core Data store: what it says of itself, and the number of objects of each
/// entity.
///
/// There is one of a store without its model, too, in which some of this is unknown.
package struct StoreInspection: Sendable {
  /// An entity of the store.
  package struct Entity: Sendable, Equatable {
    package var name: String
    /// The entity that it inherits from.
    package var parent: String?
    /// True if only its subentities have objects; nil where the model is unknown.
    package var isAbstract: Bool?
    /// The names of its own attributes, then those of its own relationships.
    package var properties: [String] = []
    /// The number of objects of this entity and of none of its subentities; nil where they cannot
    /// be counted.
    package var objects: Int?
    /// The number of entities that it inherits from.
    package var level = 0
  }

  /// The place where the model of a store was found.
  package enum ModelLocation: Sendable, Equatable {
    /// In the store itself.
    case store
    /// In a file, by its path.
    case file(String)
  }

  package var format: SourceFormat
  package var metadata: CoreDataMetadata
  /// The location of the model; nil if there is none at hand, or if a program has made it.
  package var model: ModelLocation?
  /// The entities, sorted by name; subentities stand after the one that they inherit from.
  package var entities: [Entity]
  /// The content of the store that is no object of its model.
  package var leftOut: [StoreRemainder] = []
  /// The notes for users of the store.
  package var notes: [StoreNote] = []

  /// The system whose Core Data wrote the store; nil if that is not known for sure.
  package var frameworkRelease: String? {
    metadata.frameworkVersion.flatMap(FrameworkRelease.name)
  }
  /// The number of objects; nil where those of an entity cannot be counted.
  package var objects: Int? {
    entities.reduce(0) { sum, entity in
      guard let sum, let count = entity.objects else { return nil }
      return sum + count
    }
  }

  init(_ format: SourceFormat, _ metadata: CoreDataMetadata, _ entities: [Entity]) {
    (self.format, self.metadata) = (format, metadata)
    self.entities = Self.inTreeOrder(entities)
  }

  /// Inspects a store that is open.
  ///
  /// - Complexity: Linear in the number of objects.
  package init(_ source: any CoreDataSource) {
    var counts: [String: Int] = [:]
    for uid in 0..<source.objectCount {
      if let key = source.storeKey(ofObject: uid) { counts[key.entity, default: 0] += 1 }
    }
    let entities = source.modelSource.model.entities.map { entity in
      Entity(
        name: entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
        properties: Self.sorted(entity.storedAttributes.map(\.name))
          + Self.sorted(entity.storedRelationships.map(\.name)),
        objects: counts[entity.name] ?? 0)
    }
    self.init(source.format, source.metadata, entities)
    if let path = source.modelSource.path {
      model = .file(path)
    } else if source.modelSource.compiledModel != nil {
      model = .store
    }
    leftOut = source.leftOut
    notes = source.notes
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { $0.precedesInBytes($1) }
  }

  /// Entities in the order of a tree, with their levels; those that would inherit from themselves
  /// are at its root.
  private static func inTreeOrder(_ entities: [Entity]) -> [Entity] {
    let sorted = entities.sorted { $0.name.precedesInBytes($1.name) }
    let names = Set(sorted.map(\.name))
    let children = Dictionary(grouping: sorted) { entity in
      entity.parent.flatMap { names.contains($0) ? $0 : nil }
    }
    var found: [Entity] = []
    var placed: Set<String> = []
    var waiting = (children[nil] ?? []).reversed().map { (entity: $0, level: 0) }
    // Whom no root leads to is in a circle.
    var rest = sorted[...]
    while true {
      if let (entity, level) = waiting.popLast() {
        guard placed.insert(entity.name).inserted else { continue }
        found.append(entity)
        found[found.count - 1].level = level
        waiting += (children[entity.name] ?? []).reversed().map { ($0, level + 1) }
      } else if let next = rest.popFirst() {
        waiting.append((next, 0))
      } else {
        return found
      }
    }
  }
}

extension StoreInspection {
  /// A value that an application keeps with its store.
  package struct MetadataValue: Sendable, Equatable {
    package var key: String
    /// The kind of the value in a word: that of an inspected archive.
    package var type: String
    /// The value for people: of a collection or of data how large it is, of a text how it begins.
    package var text: String
  }

  /// The values that applications keep with the store, in its order.
  package var metadataValues: [MetadataValue] {
    (metadata.conversionValues + metadata.applicationValues).map { pair in
      let (type, text) = Self.words(for: pair.value)
      return MetadataValue(key: pair.key, type: type, text: text)
    }
  }

  /// The greatest number of characters of a text that are shown.
  private static let textLength = 80

  private static func words(for value: PropertyListValue) -> (type: String, text: String) {
    switch value {
    case .null: return ("nil", "nil")
    case .bool(let value): return ("bool", "\(value)")
    case .integer(let value): return ("integer", "\(value)")
    case .unsigned(let value): return ("integer", "\(value)")
    case .real(let value): return ("real", "\(value)")
    case .float(let value): return ("real", "\(value)")
    case .date(let seconds): return ("date", DateText.text(secondsSince2001: seconds))
    case .string(let text): return ("string", words(for: text))
    case .utf16(let units): return ("string", words(for: String(decoding: units, as: UTF16.self)))
    case .data(let bytes): return ("data", "data, \(bytes.count) bytes")
    case .uid(let uid): return ("uid", "\(uid)")
    case .array(let elements): return ("array", "array of \(elements.count)")
    case .set(let elements): return ("set", "set of \(elements.count)")
    case .dictionary(let pairs): return ("dictionary", "dictionary of \(pairs.count)")
    }
  }

  private static func words(for text: String) -> String {
    let start = text.prefix(textLength)
    return "\"\(start)\(start.endIndex < text.endIndex ? "…" : "")\""
  }
}

/// Stores whose model is not at hand.
extension StoreInspection {
  /// Inspects a store as far as that goes without its model.
  ///
  /// - Parameters:
  ///   - file: The bytes of the store.
  ///   - path: The path of the store.
  ///   - limits: The limits for hostile files.
  /// - Throws: `ArchiveError` if it is no store, or says nothing of itself.
  /// - Complexity: Linear in the number of objects; of an SQLite store no value is read.
  package init(
    withoutModel file: ByteStorage, at path: String, limits: ReadingLimits
  ) throws(ArchiveError) {
    switch CoreDataFileKind(file.head) {
    case .sqlite:
      do throws(ModelError) {
        try self.init(try StoreOpening(StoreSnapshot(path), toleratesDamage: true), limits)
      } catch {
        throw ArchiveError(storeError: error)
      }
    case .xml:
      let metadata = try XMLStoreSource.metadata(of: file, limits: limits)
      let counts = try? XMLStoreSource.objectCounts(of: file, limits: limits)
      self.init(.xmlStore, metadata, try Self.entities(metadata, counts, isFolded: true))
    case .binary:
      let metadata = try BinaryStoreSource.metadata(of: file, limits: limits)
      let counts = try? BinaryStoreSource.objectCounts(of: file, limits: limits)
      self.init(.binaryStore, metadata, try Self.entities(metadata, counts, isFolded: false))
    case nil:
      throw ArchiveError(.notAnArchive)
    }
  }

  private init(_ opening: StoreOpening, _ limits: ReadingLimits) throws(ModelError) {
    let (found, tables) = try opening.entities(limits)
    let known = Set(found.map(\.name))
    let others = opening.metadata.versionHashes.keys.filter { !known.contains($0) }
    self.init(.sqliteStore, opening.metadata, found + others.map { Entity(name: $0) })
    leftOut = try opening.remainder(besides: tables)
    notes = opening.notes
  }

  /// The entities that a store has hashes of, and those of its objects.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - counts: The number of objects under each name; nil where they cannot be counted.
  ///   - isFolded: True if the names of objects have lost their case.
  /// - Returns: The entities.
  /// - Throws: `ArchiveError` if names of entities differ in case alone.
  private static func entities(
    _ metadata: CoreDataMetadata, _ counts: [String: Int]?, isFolded: Bool
  ) throws(ArchiveError) -> [Entity] {
    var objects = Dictionary(
      uniqueKeysWithValues: metadata.versionHashes.keys.map { ($0, counts == nil ? nil : 0) })
    let names = objects.keys.sorted { $0.precedesInBytes($1) }
    let folded = FoldedNames(names, in: .capital)
    for (name, count) in counts ?? [:] {
      let place = isFolded ? try folded.place(of: name) : nil
      objects[place.map { names[$0] } ?? name] = count
    }
    return objects.map { Entity(name: $0, objects: $1) }
  }
}
