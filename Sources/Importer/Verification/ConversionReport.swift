import ArchiveReader
import Foundation

/// What a conversion did: the one model behind all printed forms.
public struct ConversionReport: Sendable {
  /// An archive and what became of it.
  public struct Archive: Sendable {
    /// How an archive can end.
    public enum Outcome: String, Sendable {
      /// All of it is in the store.
      case converted
      /// None of it is.
      case rejected
    }

    /// The path as it was given or found.
    public var path: String
    /// The digest of the file; nil if it could not be read.
    public var sha256: String?
    /// The size of the file.
    public var bytes: Int?
    /// "binary" or "xml".
    public var format: String?
    /// What became of it.
    public var outcome: Outcome
    /// Why it was rejected.
    public var error: String?
    /// How many entries its `$objects` has.
    public var objects: Int?
    /// How many control characters the XML holds that XML forbids.
    ///
    /// They were kept.
    public var forbiddenCharacters = 0
  }

  /// An entity and its rows.
  public struct Entity: Sendable {
    /// The name of the entity and its table.
    public var name: String
    /// The classes whose objects became its rows.
    public var archivedClasses: [String]
    /// How many objects of these classes were reached.
    public var archivedObjects: Int
    /// How many rows were written.
    public var rows: Int
    /// Its properties with plain values, collections of them included.
    public var attributes: [Attribute]
    /// Its relationships.
    public var relationships: [Relationship]
    /// How many values the rows hold, those in collections included.
    public var values: Int { attributes.reduce(0) { $0 + $1.values } }
    /// How many references to other rows they hold.
    public var links: Int { relationships.reduce(0) { $0 + $1.links } }
  }

  /// A property with plain values.
  public struct Attribute: Sendable {
    /// The name of the attribute.
    public var name: String
    /// The archived key.
    public var key: String
    /// The type of its values; "collection of" it for several.
    public var type: String
    /// How many values there are.
    public var values: Int
    /// How many objects hold nil.
    public var nulls: Int
  }

  /// A relationship.
  public struct Relationship: Sendable {
    /// The name of the relationship.
    public var name: String
    /// The entities that it leads to, separated by commas.
    public var destination: String
    /// Whether it leads to several rows.
    public var isToMany: Bool
    /// The relationship that leads back.
    public var inverse: String?
    /// How many references it holds.
    public var links: Int
  }

  /// A value of which something was lost.
  public struct Loss: Sendable {
    /// The path of the archive.
    public var archive: String
    /// The object that held the value; nil for a top-level key.
    public var uid: Int?
    /// Its class.
    public var className: String
    /// The archived key.
    public var key: String
    /// The value before, with what cannot be written as text spelled out.
    public var before: String
    /// The value after.
    public var after: String
    /// What was lost.
    public var reason: String
  }

  /// When the run began.
  public var startedAt = Date.now
  /// How long it took.
  public var seconds = 0.0
  /// The path of the store.
  public var storePath: String
  /// The size of the store; nil if it was not kept.
  public var storeBytes: Int?
  /// Whether the store was not to be kept.
  public var isDryRun: Bool
  /// The archives, in the order in which they were read.
  public var archives: [Archive] = []
  /// How many files of directories are no keyed archives.
  public var skippedFiles = 0
  /// The entities, in the order of the model.
  public var entities: [Entity] = []
  /// How many collections became rows of `_collection`.
  public var collections = 0
  /// How many collections several objects share, and were written for each.
  public var sharedCollections = 0
  /// Entries of `$objects` that nothing leads to: they are not in the store.
  public var unreachableObjects = 0
  /// Known classes whose objects became rows since some of them hold no value of the class.
  public var classesKeptAsObjects: [String] = []
  /// Values of which something was lost, up to a limit.
  public var losses: [Loss] = []
  /// How many there are in all.
  public var lossCount = 0

  /// Whether an archive was rejected.
  public var hasRejectedArchives: Bool { archives.contains { $0.outcome == .rejected } }

  private var counts: ImportCounts?

  init(storePath: String, isDryRun: Bool) {
    self.storePath = storePath
    self.isDryRun = isDryRun
  }

  // MARK: Filling it in

  mutating func add(
    _ own: ImportCounts, of archive: KeyedArchive, path: String, sha256: String
  ) {
    let propertyList = archive.propertyList
    archives.append(
      Archive(
        path: path, sha256: sha256, bytes: propertyList.byteCount,
        format: propertyList.format.rawValue, outcome: .converted, objects: archive.objectCount,
        forbiddenCharacters: propertyList.forbiddenCharacters))
    if counts == nil { counts = ImportCounts(entityCount: own.entities.count) }
    counts?.add(own)
    lossCount += own.lossyCount
    losses += own.lossyConversions.prefix(ImportCounts.mostLossyConversions - losses.count).map {
      Loss(
        archive: path, uid: $0.uid, className: $0.className, key: $0.key, before: $0.before,
        after: $0.after, reason: $0.reason)
    }
  }

  mutating func add(_ census: Census, model: Model, opaqueClasses: Set<String>) {
    unreachableObjects = census.unreachedObjects
    classesKeptAsObjects = opaqueClasses.sorted()
    collections = counts?.collections ?? 0
    let numbers = model.entityNumbers
    var archivedObjects = Array(repeating: 0, count: model.entities.count)
    for found in census.classes {
      if let number = numbers[found.name] { archivedObjects[number] += found.count }
    }
    for (number, entity) in model.entities.enumerated() {
      let own = counts?.entities[number] ?? .init()
      entities.append(Entity(entity, archivedObjects: archivedObjects[number], counts: own))
      sharedCollections += own.properties.values.reduce(0) { $0 + $1.sharedCollections }
    }
  }

  /// Puts the archives in the order in which they were found.
  mutating func sortArchives(by paths: [String]) {
    let order = Dictionary(zip(paths, paths.indices), uniquingKeysWith: { first, _ in first })
    archives.sort { (order[$0.path] ?? .max) < (order[$1.path] ?? .max) }
  }

  mutating func noteStore() {
    var status = stat()
    if stat(storePath, &status) == 0 { storeBytes = Int(status.st_size) }
  }
}

extension ConversionReport.Entity {
  fileprivate init(_ entity: Entity, archivedObjects: Int, counts: ImportCounts.EntityCounts) {
    name = entity.name
    archivedClasses = entity.archivedClasses
    self.archivedObjects = archivedObjects
    rows = counts.rows
    attributes = entity.attributes.map { attribute in
      let own = counts.properties[attribute.key] ?? .init()
      return .init(
        name: attribute.name, key: attribute.key, type: attribute.type.rawValue,
        values: own.values, nulls: own.nulls)
    }
    // A key can hold plain values in some objects and a collection of them in others: its counts
    // are given once.
    let plainKeys = Set(entity.attributes.map(\.key))
    attributes += entity.collections.filter { !plainKeys.contains($0.key) }.map { collection in
      let own = counts.properties[collection.key] ?? .init()
      let type = collection.valueType?.rawValue ?? "reference"
      return .init(
        name: collection.name, key: collection.key, type: "collection of \(type)",
        values: own.values, nulls: own.nulls)
    }
    relationships = entity.relationships.map { relationship in
      .init(
        name: relationship.name, destination: relationship.destinations.joined(separator: ", "),
        isToMany: relationship.isToMany, inverse: relationship.inverse,
        links: counts.properties[relationship.key]?.links ?? 0)
    }
    let relatedKeys = Set(entity.relationships.map(\.key))
    relationships += entity.collections
      .filter { $0.hasReferencesAsValues && !relatedKeys.contains($0.key) }
      .map { collection in
        .init(
          name: collection.name, destination: "", isToMany: true, inverse: nil,
          links: counts.properties[collection.key]?.links ?? 0)
      }
  }
}

extension ImportCounts {
  /// Adds what another archive gave.
  mutating func add(_ other: ImportCounts) {
    for (number, entity) in other.entities.enumerated() {
      entities[number].rows += entity.rows
      for (key, more) in entity.properties {
        entities[number].properties[key, default: .init()].values += more.values
        entities[number].properties[key, default: .init()].nulls += more.nulls
        entities[number].properties[key, default: .init()].links += more.links
        entities[number].properties[key, default: .init()].sharedCollections +=
          more.sharedCollections
      }
    }
    collections += other.collections
  }
}
