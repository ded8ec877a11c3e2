import ArchiveReader
import CoreDataStores
import Importer
import Migration
import Support

extension ArchiveSurveyor {
  /// The result of the first reading of a file.
  struct Survey: Sendable {
    /// The archive in the file, and after it the sound ones inside of it.
    var archives: [SurveyedArchive]
    /// The profile of all of them.
    var profile: SchemaProfile
    /// The remarks on a store, for the report.
    var remarks: [String] = []
    /// True if a store is all there, and holds nothing besides its objects.
    var isWhole = true
    /// The metadata of a Core Data store; nil for archives.
    var metadata: CoreDataMetadata?
    /// The results of a store's migration; nil if there was none.
    var migration: StoreMigrator.StepResults?
    /// All that were found inside of the file, in the order of the store.
    var nested: [InputFinder.Input] = []
    /// The archives among them that are damaged or too many.
    var rejected: [ConversionReport.Archive] = []

    /// The digest of the file.
    var sha256: String { archives[0].sha256 }

    /// Takes what a store says of itself.
    mutating func take(_ source: any GraphSource) {
      guard let store = source as? any StoreSource else { return }
      (remarks, isWhole) = (store.remarks, store.isWhole)
      metadata = (store as? any CoreDataSource)?.metadata
    }
  }
}

extension ArchiveSurveyor {
  /// The results of the first reading of several files.
  struct SurveyedFiles {
    /// The archives to be converted.
    var archives: [SurveyedArchive] = []
    var profile = SchemaProfile()
    /// For each digest, the path of the file that had it first.
    var firsts: [String: String] = [:]
  }
}

extension ArchiveSurveyor {
  /// An archive that is sound, as the first reading saw it.
  struct SurveyedArchive: Sendable {
    var input: InputFinder.Input
    /// The entry of the report for it.
    var entry: ConversionReport.Archive
    /// The digest of its bytes.
    var sha256: String

    init(_ input: InputFinder.Input, _ file: ArchiveFile, _ spill: EntrySpill?) {
      self.init(input, file, sha256: file.sha256, spill)
    }

    /// One whose digest may be known later.
    init(
      _ input: InputFinder.Input, _ file: ArchiveFile, sha256: String, _ spill: EntrySpill?
    ) {
      self.input = input
      self.sha256 = sha256
      let source = file.source
      let objects = source.withoutRecords
      entry = ConversionReport.Archive(
        path: input.path, sha256: sha256, bytes: source.byteCount,
        format: source.format.rawValue, outcome: .converted,
        objects: objects.holdsEveryObject ? objects.ownObjectCount : objects.objectCount,
        forbiddenCharacters: source.forbiddenCharacters,
        isEmpty: source.roots.isEmpty && !source.holdsEveryObject, seenThrough: source.wrapperCount,
        damages: source.losses, damageCount: source.lossCount, spill: spill,
        place: input.nesting?.place)
    }
  }
}

/// Takes the profile of files.
///
/// Several threads may do so at the same time.
struct ArchiveSurveyor: Sendable {
  let options: ConversionOptions
  let classesReadAsObjects: Set<String>
  /// The paths of archives that are left out: they break rules.
  let leftOut: Set<String>
  let openArchives: OpenArchives
  let meter: ProgressMeter?
  /// True if it works beside the work that the meter tells of.
  var isBeside = false

  /// The state that a thread keeps from file to file.
  struct Kept {
    fileprivate let arena = ByteArena()
    /// The graph that read the file before.
    fileprivate var last: (any ObjectGraph)?

    init() {}
  }

  /// Takes the profile of a file and of the archives inside of it.
  ///
  /// - Parameters:
  ///   - input: The file.
  ///   - file: The same, where it is open.
  ///   - kept: The state that the thread keeps.
  /// - Returns: The result of the reading, or the reason why the file is rejected.
  func survey(
    _ input: InputFinder.Input, in file: ArchiveFile? = nil, _ kept: inout Kept
  ) -> Result<Survey, ArchiveError> {
    let told = isBeside ? nil : meter
    told?.begin(input.path)
    defer { told?.end(input.path) }
    do throws(ArchiveError) {
      let file = if let file { file } else { try open(input, kept.arena) }
      var profile = try takeProfile(of: file.source, at: input.path, after: &kept.last)
      profile.records = options.recordEvidence(in: file.source)
      let inner = try nested(in: file, input, most: options.limits.nestedArchives)
      var found = Survey(
        archives: [SurveyedArchive(input, file, options.spill)], profile: profile)
      found.take(file.source)
      if found.metadata != nil {
        found.migration = options.migrationResults(forStoreAt: input.path)
      }
      if !inner.isEmpty {
        var budget = NestedBudget(file.source, profile, options.limits)
        takeProfile(ofNested: inner, in: file, &budget, &found)
      }
      try file.check()
      openArchives.keep(file, at: input.path)
      return .success(found)
    } catch {
      return .failure(error)
    }
  }

  private func open(
    _ input: InputFinder.Input, _ arena: ByteArena
  ) throws(ArchiveError) -> ArchiveFile {
    if let file = openArchives[input.path] { return file }
    return try ArchiveFile(
      path: input.path, options.sourceOpener, in: arena, isUnprobed: input.isUnprobed)
  }

  private func takeProfile(
    of archive: any GraphSource, at path: String, after last: inout (any ObjectGraph)?
  ) throws(ArchiveError) -> SchemaProfile {
    let ticker = ObjectTicker(meter, path, part: isBeside ? nil : 0...1)
    do throws(ArchiveError) {
      return try SchemaProfiler.take(
        of: archive, classesReadAsObjects: classesReadAsObjects, limits: options.limits,
        ticker: ticker, after: &last)
    } catch {
      throw archive.explained(error)
    }
  }

  // MARK: Archives inside of others

  /// The archives that data values of an archive hold, if they are asked for: one more than may be
  /// opened at most.
  private func nested(
    in file: ArchiveFile, _ input: InputFinder.Input, most: Int
  ) throws(ArchiveError) -> [InputFinder.Input] {
    guard options.opensNested else { return [] }
    let found = try NestedDataFinder.find(
      in: file.source, classesReadAsObjects: classesReadAsObjects, limits: options.limits,
      options.sourceOpener.recognizesNested, most: most == .max ? most : max(0, most) + 1)
    return found.map(input.nested)
  }

  /// Takes the profile of the archives inside of a file, and of those inside of them.
  ///
  /// One that is damaged is listed, and what is around it is converted: it holds the bytes.
  private func takeProfile(
    ofNested first: [InputFinder.Input], in outer: ArchiveFile, _ budget: inout NestedBudget,
    _ found: inout Survey
  ) {
    var chain = OpenChain(outer)
    var pending = Array(first.reversed())
    while let input = pending.popLast() {
      guard let nesting = input.nesting else { continue }
      found.nested.append(input)
      guard !leftOut.contains(input.path) else { continue }
      do throws(ArchiveError) {
        try budget.spend(on: nesting)
        guard let file = try chain.open(nesting.data, options) else { continue }
        var own = try SchemaProfiler.take(
          of: file.source, classesReadAsObjects: classesReadAsObjects, limits: options.limits,
          isNested: true,
          ticker: ObjectTicker(meter))
        own.records = options.recordEvidence(in: file.source)
        let inner = try nested(in: file, input, most: budget.archivesLeft - pending.count)
        try budget.spend(on: own)
        found.profile.merge(own)
        found.archives.append(SurveyedArchive(input, file, options.spill))
        pending += inner.reversed()
      } catch {
        found.rejected.append(
          .init(
            path: input.path, bytes: nesting.data.last?.byteCount, outcome: .rejected,
            error: "\(error)", place: nesting.place))
        // The others are over the limit as well.
        if budget.archivesLeft < 0 { return }
      }
    }
  }
}

extension ArchiveSurveyor {
  /// The budget for the archives inside of a file, all together: a small file must not make a large
  /// store by holding many of them.
  struct NestedBudget {
    private let limits: ReadingLimits
    private var archives: Int
    private var bytes: Int
    /// The profile of the archives of the file so far.
    private var profile: SchemaProfile
    private var collectionKeys: Int

    /// A budget for a file with a profile of its own.
    init(_ file: any GraphSource, _ profile: SchemaProfile, _ limits: ReadingLimits) {
      self.limits = limits
      self.profile = profile
      collectionKeys = SchemaProfile().news(in: profile).collectionKeys
      archives = limits.nestedArchives
      bytes = ExpansionBudget.product(file.byteCount, limits.expansion)
    }

    /// The number of archives that may still be looked for.
    var archivesLeft: Int { archives }

    /// Spends on an archive that is about to be opened.
    ///
    /// - Throws: `ArchiveError` if that is too much.
    mutating func spend(on nesting: InputFinder.Nesting) throws(ArchiveError) {
      archives -= 1
      guard archives >= 0 else {
        throw limits.exceeded(.nestedArchives)
      }
      guard nesting.depth <= limits.nesting else {
        throw limits.exceeded(.nesting)
      }
      bytes -= nesting.data.last?.byteCount ?? 0
      guard bytes >= 0 else {
        throw limits.exceeded(.expansion)
      }
    }

    /// Spends on the tables that an archive's classes ask for beside those of the others.
    ///
    /// - Throws: `ArchiveError` if that is too much.
    mutating func spend(on own: SchemaProfile) throws(ArchiveError) {
      let news = profile.news(in: own)
      guard profile.classes.count + news.classes <= limits.classes else {
        throw limits.exceeded(.classes)
      }
      guard collectionKeys + news.collectionKeys <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
      collectionKeys += news.collectionKeys
      profile.merge(own)
    }
  }
}

extension SchemaProfile {
  /// The numbers of classes and of keys with collections that only the other profile has.
  fileprivate func news(in other: SchemaProfile) -> (classes: Int, collectionKeys: Int) {
    var news = (classes: 0, collectionKeys: 0)
    for found in other.classes {
      let known = knownIndex(of: found.name).map { classes[$0] }
      if known == nil { news.classes += 1 }
      for property in found.properties where !property.elements.collectionKinds.isEmpty {
        let index = known?.knownIndex(of: property.key)
        let isKnown =
          index.map { known?.properties[$0].elements.collectionKinds.isEmpty == false } ?? false
        if !isKnown { news.collectionKeys += 1 }
      }
    }
    return news
  }
}
