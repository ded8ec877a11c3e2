import Foundation
import Migration

/// What a conversion did: the one model after all printed forms.
///
/// Its coded form is the report in JSON, as Documentation/report.md describes it: what one run
/// writes, another can read. `text(as:)` prints it.
public struct ConversionReport: Sendable, Codable {
  /// The version of the program that converted.
  public var converterVersion = ConverterVersion.current
  /// When the run began; nil in the report that a store keeps of itself.
  public var startedAt: Date? = Date.now
  /// How long it took; nil in the report that a store keeps of itself.
  public var seconds: Double? = 0
  /// The path of the store; empty in the report that it keeps of itself.
  public var storePath: String
  /// The layout of the store.
  public var storeLayout = "relational"
  /// The size of the store; nil if it was not kept.
  public var storeBytes: Int?
  /// The digest of the store; nil if it was not kept or not requested.
  public var storeSHA256: String?
  /// Whether the store was not to be kept.
  public var isDryRun: Bool
  /// True if a store was compared, not written: what was converted, the store's own report says.
  public package(set) var isVerification = false
  /// The archives, in the order in which they were read.
  public var archives: [Archive] = []
  /// The files of directories that are no keyed archives.
  public package(set) var skipped = SkippedFiles()
  /// How many files of directories are no keyed archives.
  public var skippedFiles: Int { skipped.count }
  /// How many files and directories `--include` and `--exclude` left out.
  public var excludedFiles = 0
  /// How many objects the archives hold that could become rows; nil if earlier runs converted some
  /// of them.
  public var archivedObjects: Int?
  /// The entities, in the order of the model.
  public var entities: [Entity] = []
  /// How many collections became rows of `_collection`.
  public var collections = 0
  /// How many values that are not nil their elements are.
  public var collectionValues = 0
  /// How many references their elements are.
  public var collectionLinks = 0
  /// How many values that are not nil top-level keys hold by themselves, in `_top`.
  public var topLevelValues = 0
  /// How many values of those that applications keep with Core Data stores are in `_metadata`.
  public var metadataValues = 0
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
  /// How many there are of each kind, up to a number of kinds.
  public var lossKinds: [LossKind] = []

  /// Values and rows that break the rules of the model, up to a limit.
  public var validationErrors: [BrokenRule] = []
  /// How many there are in all.
  public var validationErrorCount = 0
  /// Statements of the archives that cannot both be kept, up to a limit.
  public var conflicts: [ImportConflict] = []
  /// How many there are in all.
  public var conflictCount = 0
  /// What the model declares in a way that Xcode warns of, but compiles.
  public var modelNotes: [String] = []
  /// What a user of the Core Data stores among the inputs should know: tables that are left out,
  /// rows that may be missing.
  public var storeNotes: [String] = []
  /// Views of the store that the mapping wants listed, in its order.
  public var views: [ViewCount] = []
  /// Whether a note tells of something that was left behind: tables of a store that hold no objects,
  /// or a write-ahead log that is missing or ends early.
  public var leavesPartsOfStores = false
  /// What became of the stores that were migrated.
  public var migrations: [MigrationReport] = []
  /// Keys that nothing read.
  public var unreadKeys: [KeyCount] = []
  /// Keys that were ignored on purpose.
  public var ignoredKeys: [KeyCount] = []
  /// Keys that were read for expressions, key paths and filters only: their own values are not in
  /// the store.
  public var derivedKeys: [KeyCount] = []
  /// Names of the mapping that match nothing in the archives; nil as long as no archive was looked
  /// at.
  public var unusedNames: [UnusedName]?
  /// Classes that no entity is there for.
  public var unmappedClasses: [ClassCount] = []
  /// Objects that a top-level key reaches, but only by way of what is not read.
  public var unvisitedObjects: [ClassCount] = []
  /// What the archives hold and the layout of the store has no place for.
  public var omissions: [LayoutOmission] = []
  /// Objects that filters, hooks and policies made no row of.
  public var filteredObjects: [ClassCount] = []
  /// Relationships that hooks set from both sides, though one is enough.
  public var relationshipsSetFromBothSides: [String] = []

  /// What the comparison of the store with the archives found; nil if it was not made.
  public var verification: VerificationResult?

  /// The pass that failed, where what the passes before it wrote was kept.
  public var failedPass: FailedPass?

  /// Whether an archive was rejected.
  public var hasRejectedArchives: Bool { hasArchive { archives[$0].outcome == .rejected } }
  /// Whether one of those inside of others was: the others are converted all the same.
  public var hasRejectedNestedArchives: Bool {
    hasArchive { archives[$0].outcome == .rejected && archives[$0].place != nil }
  }
  /// Whether part of an archive could not be read.
  public var hasDamagedArchives: Bool { hasArchive { archives[$0].damageCount > 0 } }

  /// Whether the report tells what is in an archive: not if all were converted by earlier runs
  /// whose reports are not at hand.
  var knowsContent: Bool { hasArchive { archives[$0].objects != nil } }

  /// Whether the archive with some number is one: each is looked at where it stands, since copies
  /// of thousands take time.
  func hasArchive(where isOne: (Int) -> Bool) -> Bool { archives.indices.contains(where: isOne) }

  /// The entries after those of the lists, where they are kept; each of the other long lists has
  /// its own with it.
  var unlistedErrors = UnlistedEntries()
  var unlistedConflicts = UnlistedEntries()
  var unlistedLosses = UnlistedEntries()

  /// The verdict, where the report is written without its lists.
  var knownVerdict: ReportVerdict?

  package var counts: ImportCounts?
  var visitedObjects: [String: [Int: Int]] = [:]

  package init(storePath: String, isDryRun: Bool) {
    self.storePath = storePath
    self.isDryRun = isDryRun
  }
}
