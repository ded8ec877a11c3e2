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
      /// It was converted by an earlier run.
      case skipped
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

  /// Values and rows that break the rules of the model, up to a limit.
  public var validationErrors: [ValidationError] = []
  /// How many there are in all.
  public var validationErrorCount = 0
  /// Statements of the archives that cannot both be kept, up to a limit.
  public var conflicts: [ImportConflict] = []
  /// How many there are in all.
  public var conflictCount = 0
  /// Keys that nothing read.
  public var unreadKeys: [KeyCount] = []
  /// Keys that were left behind on purpose.
  public var ignoredKeys: [KeyCount] = []
  /// Classes that no entity is there for.
  public var unmappedClasses: [ClassCount] = []
  /// Objects that a top-level key reaches, but only by way of what is not read.
  public var unvisitedObjects: [ClassCount] = []
  /// Objects that filters, hooks and policies made no row of.
  public var filteredObjects: [ClassCount] = []
  /// Relationships that hooks set from both sides, though one is enough.
  public var relationshipsSetFromBothSides: [String] = []

  /// The pass that failed, where what the passes before it wrote was kept.
  public var failedPass: FailedPass?

  /// A pass that failed.
  public struct FailedPass: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Why it failed.
    public var reason: String
    /// The names of the passes whose rows were kept.
    public var kept: [String]
  }

  /// A key of a class, and how many objects have it.
  public struct KeyCount: Sendable, Comparable {
    /// The class.
    public var className: String
    /// The key.
    public var key: String
    /// How many objects have it.
    public var count: Int

    init(_ place: ImportFindings.ClassKey, _ count: Int) {
      className = place.className
      key = place.key
      self.count = count
    }

    /// By class, then by key.
    public static func < (first: Self, second: Self) -> Bool {
      (first.className, first.key) < (second.className, second.key)
    }
  }

  /// A class, and how many of its objects are concerned.
  public struct ClassCount: Sendable, Comparable {
    /// The class.
    public var className: String
    /// How many objects.
    public var count: Int

    init(_ className: String, _ count: Int) {
      self.className = className
      self.count = count
    }

    /// By class.
    public static func < (first: Self, second: Self) -> Bool { first.className < second.className }
  }

  /// Whether an archive was rejected.
  public var hasRejectedArchives: Bool { archives.contains { $0.outcome == .rejected } }

  private var counts: ImportCounts?
  private var visitedObjects: [String: [Int: Int]] = [:]

  init(storePath: String, isDryRun: Bool) {
    self.storePath = storePath
    self.isDryRun = isDryRun
  }

  // MARK: Filling it in

  /// Adds what one pass made of an archive; the archive itself only with the first.
  mutating func add(
    _ own: ImportCounts, of archive: KeyedArchive?, path: String, sha256: String
  ) {
    if let archive {
      let propertyList = archive.propertyList
      archives.append(
        Archive(
          path: path, sha256: sha256, bytes: propertyList.byteCount,
          format: propertyList.format.rawValue, outcome: .converted, objects: archive.objectCount,
          forbiddenCharacters: propertyList.forbiddenCharacters))
    }
    if counts == nil { counts = ImportCounts(entityCount: own.entities.count) }
    counts?.add(own)
    lossCount += own.lossyCount
    losses += own.lossyConversions.prefix(ImportCounts.mostLossyConversions - losses.count).map {
      Loss(
        archive: path, uid: $0.uid, className: $0.className, key: $0.key, before: $0.before,
        after: $0.after, reason: $0.reason)
    }
  }

  mutating func add(_ census: Census, plan: ImportPlan) {
    unreachableObjects = census.unreachedObjects
    classesKeptAsObjects = plan.opaqueClasses.sorted()
    collections = counts?.collections ?? 0
    let model = plan.model
    var archivedObjects = Array(repeating: 0, count: model.entities.count)
    for found in census.classes {
      for number in plan.entities(ofClass: found.name) { archivedObjects[number] += found.count }
    }
    // The census is of all archives, those included that an earlier run converted.
    if !archives.contains(where: { $0.outcome == .skipped }) {
      unvisitedObjects = census.classes.compactMap { found in
        let visited = visitedObjects[found.name]?.values.max() ?? 0
        return visited < found.count ? ClassCount(found.name, found.count - visited) : nil
      }.sorted()
    }
    for number in model.entities.indices {
      let own = counts?.entities[number] ?? .init()
      let entity = plan.hierarchy.withInherited(number, in: model)
      entities.append(Entity(entity, archivedObjects: archivedObjects[number], counts: own))
      sharedCollections += own.properties.values.reduce(0) { $0 + $1.sharedCollections }
    }
  }

  /// Takes the counts of rows, values and links from the store itself, where hooks, mappings and
  /// inverses had a part in them.
  mutating func count(_ store: StoreWriter, _ plan: ImportPlan) throws(StoreError) {
    counts = try StoreCounts.counts(store, plan, collections: counts?.collections ?? 0)
  }

  /// Adds what an import noticed.
  mutating func add(_ findings: ImportFindings) {
    validationErrors += findings.errors
    validationErrorCount += findings.errorCount
    conflicts = findings.conflicts
    conflictCount = findings.conflictCount
    unreadKeys = findings.unreadKeys.map { KeyCount($0.key, $0.value) }.sorted()
    ignoredKeys = findings.ignoredKeys.map { KeyCount($0.key, $0.value) }.sorted()
    visitedObjects = findings.visitedObjects
    unmappedClasses = findings.unmappedObjects.map { ClassCount($0.key, $0.value) }.sorted()
    filteredObjects = findings.filteredObjects.map { ClassCount($0.key, $0.value) }.sorted()
    relationshipsSetFromBothSides = findings.setFromBothSides.sorted()
    lossCount += findings.lossCount
    losses += findings.losses.map { loss in
      Loss(
        archive: loss.place.archive ?? "", uid: loss.place.uid,
        className: loss.place.className ?? "", key: loss.place.key ?? "", before: loss.before,
        after: loss.after, reason: loss.reason)
    }
  }

  /// Lists the archives that an attempt found to break the rules of the model.
  mutating func reject(_ findings: ImportFindings) {
    validationErrors += findings.errors
    validationErrorCount += findings.errorCount
    for path in findings.failedArchives.sorted() {
      let own = findings.errors.filter { $0.archive == path }
      let more = own.count > 1 ? " (and \(own.count - 1) more)" : ""
      archives.append(
        Archive(path: path, outcome: .rejected, error: own.first.map { "\($0)\(more)" }))
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
      let own = counts.properties[attribute.name] ?? .init()
      return .init(
        name: attribute.name, key: attribute.key, type: attribute.type.rawValue,
        values: own.values, nulls: own.nulls)
    }
    // A key can hold plain values in some objects and a collection of them in others: its counts
    // are given once.
    let plainNames = Set(entity.attributes.map(\.name))
    attributes += entity.collections.filter { !plainNames.contains($0.name) }.map { collection in
      let own = counts.properties[collection.name] ?? .init()
      let type = collection.valueType?.rawValue ?? "reference"
      return .init(
        name: collection.name, key: collection.key, type: "collection of \(type)",
        values: own.values, nulls: own.nulls)
    }
    relationships = entity.relationships.map { relationship in
      .init(
        name: relationship.name, destination: relationship.destinations.joined(separator: ", "),
        isToMany: relationship.isToMany, inverse: relationship.inverse,
        links: counts.properties[relationship.name]?.links ?? 0)
    }
    let relatedNames = Set(entity.relationships.map(\.name))
    relationships += entity.collections
      .filter { $0.hasReferencesAsValues && !relatedNames.contains($0.name) }
      .map { collection in
        .init(
          name: collection.name, destination: "", isToMany: true, inverse: nil,
          links: counts.properties[collection.name]?.links ?? 0)
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
