import ArchiveReader
import CoreDataStores
import Foundation
import Migration

extension StoreVerifier {
  /// The record of a run in a store: a row of `_run`, or the metadata of a Core Data store.
  struct RunRecord {
    var id: Int64
    var mapping: String?
    var modelDigest: String?
    var fingerprint: String
    var archives: ClosedRange<Int64>
    var options: Options

    private init(
      id: Int64, mapping: String? = nil, modelDigest: String? = nil, fingerprint: String,
      archives: ClosedRange<Int64>, options: Options
    ) {
      (self.id, self.mapping, self.modelDigest) = (id, mapping, modelDigest)
      (self.fingerprint, self.archives, self.options) = (fingerprint, archives, options)
    }

    /// The options of the run, as far as they make a difference.
    struct Options: Decodable {
      var stripPrefix: String?
      var plainNames: Bool?
      var seeThrough: [String]?
      /// The classes that the mapping named.
      var mappedSeeThrough: [String]?
      /// The rules for the positions of classes in typedstreams.
      var positions: [String: PositionRules.Class]?
      var provenance: Bool?
      var reversible: Bool?
      var fts: Bool?
      var salvage: Bool?
      var openNested: Bool?
      var unwrap: [String]?
      var column: [String]?
      var carry: [String]?
      var hooks: [String]?
      var dictionaries: String?
      /// The classes of dictionaries that were records, by their paths, and the paths of others.
      var records: [String: String]?
      var pairs: [String]?
      var mappingFile: String?
      var modelFile: String?
      /// The models, if several were merged.
      var modelFiles: [String]?
      var templateFile: String?
      /// The time that expressions saw, in seconds since 2001; nil if none depends on it.
      var now: Double?
      /// The digest that tells the migration from others.
      var migration: String?
      var mappingModelFiles: [String]?
      var versionFiles: [String]?
      /// The digests of the versions and of the mapping models that it had at hand.
      var migrationFiles: [String]?
      var completedPasses: Int?
      var limits: [String: Int]?
      /// The archives that it looked at but did not convert, since the store had them: ranges of
      /// ids.
      var known: [[Int64]]?
    }

    /// Reads what a Core Data store remembers of the one run that made it.
    ///
    /// - Throws: `StoreError` if it is not one of this program's.
    init(_ metadata: CoreDataMetadata, path: String) throws(StoreError) {
      guard let record = metadata.conversion else {
        throw StoreError(
          .incompatible, path: path, reason: "the Core Data store does not record how it was made")
      }
      guard let read = try? JSONDecoder().decode(Options.self, from: Data(record.options.utf8))
      else {
        throw StoreError(
          .incompatible, path: path, reason: "how it was made is recorded in an unknown form")
      }
      self.init(
        id: 1, mapping: record.mapping, modelDigest: record.modelDigest,
        fingerprint: record.fingerprint, archives: 1...max(1, Int64(metadata.archives.count)),
        options: read)
    }

    /// Reads what the shards of a run remember of it; nil if it is in an unknown form.
    init?(_ request: ShardRequest) {
      guard let read = try? JSONDecoder().decode(Options.self, from: Data(request.options.utf8))
      else { return nil }
      self.init(
        id: 1, mapping: request.mapping, modelDigest: request.modelDigest, fingerprint: "",
        archives: 1...1, options: read)
    }

    private static let columns = [
      "id", "mapping", "model_digest", "options", "fingerprint", "first_archive", "last_archive",
    ]

    /// Reads what a store remembers of its runs, in their order.
    ///
    /// Each has an archive of its own at least: further rows of the table are of none.
    ///
    /// - Throws: `StoreError` if it is no store of this program's.
    static func all(in store: VerifiedStore, path: String) throws(StoreError) -> [RunRecord] {
      let table = RelationalLayout.runTable
      func incompatible(_ reason: String) -> StoreError {
        StoreError(.incompatible, path: path, reason: reason)
      }
      guard columns.contains(where: { store.has($0, in: table) }) else {
        throw incompatible(RelationalLayout.foreignReason)
      }
      for column in columns where !store.has(column, in: table) {
        throw incompatible("it has no column \(table).\(column), which this version requires")
      }
      let top = RelationalLayout.topTable
      if store.has("archive_id", in: top), !store.has(Table.Column.id.name, in: top) {
        throw incompatible(RelationalLayout.earlierLayoutReason)
      }
      guard !store.has("plan_sha256", in: RelationalLayout.shardTable) else {
        throw incompatible(RelationalLayout.shardReason)
      }
      for (table, columns) in [
        (RelationalLayout.archiveTable, ["id", "path", "sha256"]),
        (RelationalLayout.rowsTable, ["archive_id", "entity", "first", "last"]),
        (RelationalLayout.classTable, ["name"]),
      ] {
        for column in columns where !store.has(column, in: table) {
          throw incompatible("it has no column \(table).\(column), which this version requires")
        }
      }
      let list = columns.map(SQL.quoted).joined(separator: ", ")
      var records: [RunRecord] = []
      for row in try store.rows(
        """
        SELECT \(list) FROM \(table) ORDER BY id
          LIMIT (SELECT max(1, count(*)) FROM \(RelationalLayout.archiveTable))
        """)
      {
        guard case .integer(let id) = row[0], case .text(let options) = row[3],
          case .text(let fingerprint) = row[4], case .integer(let first) = row[5],
          case .integer(let last) = row[6], first <= last,
          let read = try? JSONDecoder().decode(Options.self, from: Data(options.utf8))
        else { throw incompatible("a row of its table \(table) cannot be read") }
        var record = RunRecord(
          id: id, fingerprint: fingerprint, archives: first...last, options: read)
        if case .text(let text) = row[1] { record.mapping = text }
        if case .text(let text) = row[2] { record.modelDigest = text }
        records.append(record)
      }
      return records
    }

    /// True if the run had a model.
    var usedModel: Bool {
      // A folder of versions has no digest: each store is read by the version that it is of.
      modelDigest != nil || options.modelFile != nil || options.modelFiles != nil
    }

    /// The options to read the archives with, as the run did.
    ///
    /// - Parameter given: The options of the verification: what they name goes before what the
    ///   store remembers.
    /// - Returns: The options.
    func conversionOptions(_ given: ConversionOptions) -> ConversionOptions {
      var options = given
      options.errorPolicy = .skip
      options.stripPrefix = self.options.stripPrefix
      options.plainNames = self.options.plainNames ?? false
      options.seeThrough = self.options.seeThrough ?? []
      options.mappedSeeThrough = self.options.mappedSeeThrough ?? []
      options.positions = PositionRules(self.options.positions ?? [:])
      options.recordsProvenance = self.options.provenance ?? false
      options.isReversible = self.options.reversible ?? false
      options.isSearchable = self.options.fts ?? false
      options.salvages = self.options.salvage ?? false
      options.opensNested = self.options.openNested ?? false
      (options.unwrapSteps, options.otherUnwrapSteps) = (unwrapSteps, [])
      options.archiveColumns = self.options.column ?? []
      options.carriedColumns = self.options.carry ?? []
      options.dictionaries = self.options.dictionaries.flatMap { .init(rawValue: $0) }
      options.decidesRecords = false
      options.recordRules = self.options.records.map {
        RecordRules(classNames: $0, pairs: Set(self.options.pairs ?? []))
      }
      options.mappingText = mapping
      // Databases are opened by them before the mapping is asked for anything else.
      let named = mapping.flatMap {
        try? Mapping(yaml: $0, path: ImportConfiguration.storedMapping)
      }
      options.columnHints = named?.columnHints ?? ColumnHints()
      options.mappingPath = mapping == nil ? nil : given.mappingPath ?? self.options.mappingFile
      options.modelPaths =
        !usedModel
        ? [] : given.modelPaths.isEmpty ? modelFiles(besides: given.mappingPath) : given.modelPaths
      options.modelDigest = modelDigest
      options.templatePath = self.options.templateFile
      options.now = self.options.now.map { Date(timeIntervalSinceReferenceDate: $0) }
      options.migration = nil
      if self.options.migration != nil {
        let recorded = MigrationOptions(
          mappingModelPaths: self.options.mappingModelFiles ?? [],
          versionPaths: self.options.versionFiles ?? [])
        options.migration = given.migration.map(recorded.replaced) ?? recorded
        options.migration?.recorded = self.options.migrationFiles.map {
          RecordedMigration(target: modelDigest, files: $0)
        }
      }
      // The model must be the one that the run had, whatever the mapping says.
      options.acceptsModelDrift = true
      for name in ReadingLimits.Name.allCases {
        guard options.limits[name] == ReadingLimits.standard[name],
          let value = self.options.limits?[name.rawValue]
        else { continue }
        options.limits[name] = min(max(1, value), name.highest)
      }
      options.prepareMigration()
      return options
    }

    /// The steps by which archives were taken out of what was around them.
    var unwrapSteps: [UnwrapStep] { (options.unwrap ?? []).compactMap { UnwrapStep($0) } }

    /// True if the run looked at an archive of a run before it.
    func hasSeen(_ archive: Int64) -> Bool {
      options.known?.contains { $0.count == 2 && $0[0] <= archive && archive <= $0[1] } ?? false
    }

    /// The model that the run had; a mapping that has moved names it again.
    private func modelFiles(besides mapping: String?) -> [String] {
      mapping == nil ? options.modelFiles ?? [options.modelFile].compactMap(\.self) : []
    }
  }
}

extension ShardRequest {
  /// The options that were asked for.
  ///
  /// - Parameters:
  ///   - given: What is asked for besides: threads, reports.
  ///   - time: The time of the run, in seconds since 1970.
  /// - Returns: The options.
  func options(_ given: ConversionOptions, time: Int64?) -> ConversionOptions {
    var found = given
    if let record = StoreVerifier.RunRecord(self) { found = record.conversionOptions(given) }
    found.convertedAt = time.map { Date(timeIntervalSince1970: Double($0)) }
    return found
  }
}
