import ArchiveReader
import Foundation

/// What a conversion did: the one model behind all printed forms.
public struct ConversionReport: Sendable {
  /// Where an archive inside of another stands.
  public struct NestedPlace: Sendable, Hashable {
    /// The path of the archive around it.
    public var outer: String
    /// The object that holds its bytes; nil if a top-level key does.
    public var uid: Int?
    /// The key that holds them.
    public var key: String
  }

  /// An archive and what became of it.
  public struct Archive: Sendable {
    /// How an archive can end.
    public enum Outcome: String, Sendable {
      /// All of it is in the store.
      case converted
      /// It was converted by an earlier run, or has the same bytes as one before it.
      case skipped
      /// None of it is.
      case rejected
    }

    /// The path as it was given or found; for an archive inside of another, that of the other and
    /// the place in it.
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
    /// What could not be read of it, where the rest was converted.
    public var damages: [ArchiveError] = []
    /// Where it stands, if it is inside of another archive.
    public var place: NestedPlace?
    /// The archive with the same bytes that was converted in its place, in the same run.
    public var duplicateOf: String?
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

  /// What the comparison of the store with the archives found; nil if it was not made.
  public var verification: VerificationResult?

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
  /// Whether part of an archive could not be read.
  public var hasDamagedArchives: Bool { archives.contains { !$0.damages.isEmpty } }

  var counts: ImportCounts?
  var visitedObjects: [String: [Int: Int]] = [:]

  init(storePath: String, isDryRun: Bool) {
    self.storePath = storePath
    self.isDryRun = isDryRun
  }
}
