import ArchiveReader
import Foundation
import Importer
import Migration
import Support

/// The result of a conversion: the one model after all printed forms.
///
/// Its coded form is the report in JSON, as Documentation/report.md describes it: what one run
/// writes, another can read. `text(as:)` prints it.
public struct ConversionReport: Sendable, Codable {
  /// The version of the program that converted.
  public var converterVersion = ConverterVersion.current
  /// When the run began; nil in the report that a store keeps of itself.
  public var startedAt: Date? = Date.now
  /// The duration; nil in the report that a store keeps of itself.
  public var seconds: Double? = 0
  /// The path of the store; empty in the report that it keeps of itself.
  public var storePath: String
  /// The layout of the store.
  public var storeLayout = "relational"
  /// The size of the store; nil if it was not kept.
  public var storeBytes: Int?
  /// The digest of the store; nil if it was not kept or not requested.
  public var storeSHA256: String?
  /// True if the store was not to be kept.
  public var isDryRun: Bool
  /// True if a store was compared, not written: what was converted, the store's own report says.
  public package(set) var isVerification = false
  /// The archives, in the order in which they were read.
  public var archives: [Archive] = []
  /// The files of directories that are no keyed archives.
  public package(set) var skipped = SkippedFiles()
  /// The number of files of directories that are no keyed archives.
  public var skippedFiles: Int { skipped.count }
  /// The number of files and directories that `--include` and `--exclude` left out.
  public var excludedFiles = 0
  /// The number of archived objects that could become rows; nil if earlier runs converted some of
  /// them.
  public var archivedObjects: Int?
  /// The entities, in the order of the model.
  public var entities: [Entity] = []
  /// The number of collections that became rows of `_collection`.
  public var collections = 0
  /// The number of elements of these collections that are values, nil left out.
  public var collectionValues = 0
  /// The number of elements of these collections that are references.
  public var collectionLinks = 0
  /// The number of values in `_top` that top-level keys hold by themselves, nil left out.
  public var topLevelValues = 0
  /// The number of values in `_metadata` that applications keep with Core Data stores.
  public var metadataValues = 0
  /// The number of collections that several objects share, and that were written for each.
  public var sharedCollections = 0
  /// Entries of `$objects` that nothing leads to: they are not in the store.
  public var unreachableObjects = 0
  /// Known classes whose objects became rows since some of them hold no value of the class.
  public var classesKeptAsObjects: [String] = []
  /// Values of which something was lost, up to a limit.
  public var losses: [Loss] = []
  /// The number of losses in all.
  public var lossCount = 0
  /// The number of losses of each kind, up to a number of kinds.
  public var lossKinds: [LossKind] = []

  /// Values and rows that break the rules of the model, up to a limit.
  public var validationErrors: [BrokenRule] = []
  /// The number of broken rules in all.
  public var validationErrorCount = 0
  /// Statements of the archives that cannot both be kept, up to a limit.
  public var conflicts: [ImportConflict] = []
  /// The number of conflicts in all.
  public var conflictCount = 0
  /// The declarations of the model that Xcode warns of, but compiles.
  public var modelNotes: [String] = []
  /// The notes for users of the Core Data stores among the inputs: tables that are left out, rows
  /// that may be missing.
  public var storeNotes: [String] = []
  /// Views of the store that the mapping wants listed, in its order.
  public var views: [ViewCount] = []
  /// True if a note tells of content that was left behind: tables of a store that hold no objects,
  /// or a write-ahead log that is missing or ends early.
  public var leavesPartsOfStores = false
  /// The results of the migrations of stores.
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
  /// The archived content that the layout of the store has no place for.
  public var omissions: [LayoutOmission] = []
  /// Objects that filters, hooks and policies made no row of.
  public var filteredObjects: [ClassCount] = []
  /// Relationships that hooks set from both sides, though one is enough.
  public var relationshipsSetFromBothSides: [String] = []

  /// The result of comparing the store with the archives; nil if they were not compared.
  public var verification: VerificationResult?

  /// The pass that failed, where what the passes before it wrote was kept.
  public var failedPass: FailedPass?

  /// True if an archive was rejected.
  public var hasRejectedArchives: Bool { hasArchive { archives[$0].outcome == .rejected } }
  /// True if an archive inside of another was rejected: the others are converted all the same.
  public var hasRejectedNestedArchives: Bool {
    hasArchive { archives[$0].outcome == .rejected && archives[$0].place != nil }
  }
  /// True if part of an archive could not be read.
  public var hasDamagedArchives: Bool { hasArchive { archives[$0].damageCount > 0 } }

  /// True if the report tells what is in an archive: not if all were converted by earlier runs
  /// whose reports are not at hand.
  var knowsContent: Bool { hasArchive { archives[$0].objects != nil } }

  /// True if the condition holds for the number of an archive: each is looked at where it stands,
  /// since copies of thousands take time.
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

extension ConversionReport.Archive {
  /// The details that few archives have: one that was rejected or skipped, is damaged, or is inside
  /// of another.
  ///
  /// Its properties are those of the archive.
  public struct Details: Sendable, Hashable {
    /// Why it was rejected.
    public var error: String?
    /// The number of control characters in the XML that XML forbids.
    ///
    /// They were kept.
    public var forbiddenCharacters = 0
    /// True if the archive has no top-level keys, so that nothing in it is reachable.
    public var isEmpty = false
    /// The number of wrappers that were seen through.
    public var seenThrough = 0
    /// The parts that could not be read, where the rest was converted, up to a limit.
    public var damages: [ConversionReport.Damage] = []
    /// The number of damages in all.
    public var damageCount = 0
    /// The damages that are not listed, where they are kept.
    package var unlistedDamages = UnlistedEntries()
    /// Its location, if it is nested in another archive.
    public var place: NestedLocation?
    /// The archive with the same bytes that was converted in its place, in the same run.
    public var duplicateOf: String?
    /// The path of its store, where each archive has one of its own.
    public var store: String?
    /// The file, if it is no keyed archive: only the coded form lists such files among the
    /// archives.
    var skipped: SkippedFile?
  }

  /// A property of the details.
  public subscript<Value>(dynamicMember property: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: property] }
    set { details[keyPath: property] = newValue }
  }
}

extension ConversionReport {
  /// Reads a report that was written as JSON; nil if the file does not begin as JSON does.
  ///
  /// - Parameter path: The path of a file.
  /// - Throws: `StoreError` if it is JSON, but no report.
  package init?(jsonFile path: String) throws(StoreError) {
    // Problems with the file are reported by the code that opens it as a store.
    guard let file = try? ByteStorage(contentsOf: path),
      unsafe file.bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        == UInt8(ascii: "{")
    else { return nil }
    let data = withExtendedLifetime(file) { unsafe Data(file.bytes) }
    do {
      self = try JSONDecoder().decode(ConversionReport.self, from: data)
    } catch {
      throw StoreError(
        .unreadable, path: path, reason: "not a report, or damaged, or from a later version")
    }
  }
}

extension ConversionReport {
  /// The property that an unread key was probably meant for: one without values whose name the key
  /// ends with, or nearly is.
  ///
  /// - Parameter key: The key.
  /// - Returns: The name of the property; nil if none resembles it.
  func likelyProperty(of key: KeyCount) -> String? {
    let names = entities.filter { $0.archivedClasses.contains(key.className) }.flatMap { entity in
      entity.attributes.filter { $0.values == 0 }.map(\.name)
        + entity.relationships.filter { $0.links == 0 }.map(\.name)
    }
    // Short names end others by chance.
    let folded = key.key.lowercased()
    let ends = names.filter { $0.count >= 3 && folded.hasSuffix($0.lowercased()) }
    return ends.max { $0.count < $1.count } ?? NearestName.find(key.key, in: names)
  }
}

extension ConversionReport {
  /// A name of the mapping that matches nothing in the archives.
  public struct UnusedName: Sendable, Hashable, Codable {
    /// The option that takes the place of the path for a class that it names.
    package static let seeThroughOption = "--see-through"
    /// The same for a prefix.
    package static let stripPrefixOption = "--strip-prefix"

    /// The path of the mapping file.
    public var path: String?
    /// The line of the name; nil if it has no single location.
    public var line: Int?
    /// The column.
    public var column: Int?
    /// The name.
    public var name: String
    /// The nearest name that the archives have.
    public var nearest: String?
    /// The error in words, without the place.
    public var message: String

    package init(_ problem: MappingError.Problem, path: String?) {
      self.path = path
      (line, column) = (problem.mark?.line, problem.mark?.column)
      (name, nearest) = (problem.name ?? "", problem.nearest)
      message = "\(problem)"
    }

    /// The place and what is wrong: `path:line:column: message`.
    public var text: String {
      let place = [path ?? "the mapping"] + [line, column].compactMap { $0.map(String.init) }
      return "\(place.joined(separator: ":")): \(message)"
    }
  }
}
