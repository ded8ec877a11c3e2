import ArchiveReader
import Foundation
import Support

/// The state of a run in the store that it builds, so that another run can go on where it ended.
///
/// It stands in the store itself, in a table that goes when the store is complete. So it changes in
/// the same transaction as the rows that it speaks of: whenever the program ends, the two agree.
struct Checkpoint: Sendable {
  /// The work that is done, and what the report needs of it.
  struct Progress: Sendable, Codable {
    /// The number of archives in the store, those inside of others included.
    var archives = 0
    /// For each table, the id of the last row; the last row of `_collection`.
    var lastIDs: [Int64]
    var lastCollection: Int64
    var counts: ImportCounts?
    var losses: [ImportLoss]
    var lossCount: Int
    var lossKinds: [ImportLossKind]
    var visitedObjects: [String: [Int: Int]]
    var unreadKeys: [ImportFindings.ClassKey: Int]
  }

  var request: Request
  var inputs: InputMarks
  var progress: Progress
  /// The losses after those of the progress, where they are kept.
  var unlistedLosses = UnlistedEntries()

  /// The table; a class of this name would get another one's.
  static let table = RelationalLayout.checkpointTable
  private static let creation =
    "CREATE TABLE IF NOT EXISTS \(table) (id INTEGER PRIMARY KEY, content BLOB);"

  /// The rows of the table.
  ///
  /// After them, each row holds a piece of the list of losses, where those are kept that are too
  /// many for memory.
  private enum Row: Int64 {
    case request = 1
    case inputs = 2
    case progress = 3
  }

  /// Reads what a store says; nil if it says nothing.
  ///
  /// SQLite takes back what a run that was killed had begun and not completed.
  init?(_ database: Database) throws(StoreError) {
    let tables = try database.rows(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(Self.table)])
    guard tables.first?.first == .integer(1) else { return nil }
    var contents: [Int64: Data] = [:]
    let last = Row.progress.rawValue
    for row in try database.rows("SELECT id, content FROM \(Self.table) WHERE id <= \(last)") {
      if case .integer(let id) = row[0], case .blob(let content) = row[1] {
        contents[id] = Data(content)
      }
    }
    let decoder = JSONDecoder()
    guard let request = contents[Row.request.rawValue], let inputs = contents[Row.inputs.rawValue],
      let progress = contents[Row.progress.rawValue],
      let marks = InputMarks(inputs),
      let asked = try? decoder.decode(Request.self, from: request),
      let done = try? decoder.decode(Progress.self, from: progress)
    else { return nil }
    self.request = asked
    self.inputs = marks
    self.progress = done
  }

  /// True if the progress can be that of a run over some archives with a layout.
  func fits(_ layout: RelationalLayout, archives: Int) -> Bool {
    // Far below where numbers overflow: what is added comes from archives in memory.
    let plausible: ClosedRange<Int64> = 0...(1 << 48)
    return (0...archives).contains(progress.archives)
      && progress.lastIDs.count == layout.tables.count
      && progress.lastIDs.allSatisfy(plausible.contains)
      && plausible.contains(progress.lastCollection)
      && plausible.contains(Int64(progress.lossCount))
      && progress.lossKinds.allSatisfy { plausible.contains(Int64($0.count)) }
      && progress.counts.map { $0.isPlausible(layout.entities.count) } ?? true
      && progress.visitedObjects.values.allSatisfy { passes in
        passes.values.allSatisfy { plausible.contains(Int64($0)) }
      }
      && progress.unreadKeys.values.allSatisfy { plausible.contains(Int64($0)) }
  }

  /// The part that stays the same for all checkpoints of a run, once all inputs were read.
  struct Beginning: Sendable {
    var request: Request
    var inputs: InputMarks
  }

  /// Makes the table, and writes what does not change.
  static func begin(_ beginning: Beginning, in database: Database) throws(StoreError) {
    try database.execute(creation)
    try write(try encoded(beginning.request), .request, database)
    try write(beginning.inputs.bytes, .inputs, database)
  }

  /// Writes what is done.
  static func write(_ progress: Data, in database: Database) throws(StoreError) {
    try write(progress, .progress, database)
  }

  /// Writes entries of the list of losses after those that are there.
  ///
  /// - Parameters:
  ///   - entries: All of them.
  ///   - start: The number of their bytes that are there.
  ///   - database: The store.
  /// - Throws: `StoreError`.
  static func write(
    _ entries: UnlistedEntries, from start: Int64, in database: Database
  ) throws(StoreError) {
    try entries.read(from: start, orThrow: unkept) { (piece) throws(StoreError) in
      _ = try database.rows("INSERT INTO \(table) (content) VALUES (?)", [.blob(Data(piece))])
    }
  }

  /// Reads the entries of the list of losses that a run before has kept.
  static func entries(
    in database: Database, _ spill: EntrySpill
  ) throws(StoreError) -> UnlistedEntries {
    var entries = UnlistedEntries(spill)
    let statement = try database.prepare(
      "SELECT content FROM \(table) WHERE id > \(Row.progress.rawValue) ORDER BY id")
    try statement.begin([])
    while try statement.step() {
      if case .blob(let piece) = try statement.copies()[0] {
        entries.add(lines: piece, piece.count { $0 == UInt8(ascii: "\n") })
      }
    }
    return entries
  }

  private static func unkept(_ error: SystemError) -> StoreError {
    StoreError(.file, path: "", reason: "the lists of the report: \(error.words)")
  }

  /// The bytes in which something is kept.
  static func encoded(_ value: some Encodable) throws(StoreError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(value)
    } catch {
      throw StoreError(.file, path: "", reason: "the state of the run cannot be written")
    }
  }

  private static func write(_ content: Data, _ row: Row, _ database: Database) throws(StoreError) {
    _ = try database.rows(
      "INSERT OR REPLACE INTO \(table) VALUES (?, ?)",
      [.integer(row.rawValue), .blob(content)])
  }
}

extension ImportCounts {
  /// True if the counts can be those of so many entities.
  fileprivate func isPlausible(_ entityCount: Int) -> Bool {
    let plausible = 0...(1 << 48)
    return entities.count == entityCount
      && [collections, collectionValues, collectionLinks, topLevelValues]
        .allSatisfy(plausible.contains)
      && entities.allSatisfy { entity in
        plausible.contains(entity.rows)
          && entity.properties.values.allSatisfy { property in
            [
              property.values, property.nulls, property.links, property.memberLinks,
              property.sharedCollections,
            ].allSatisfy(plausible.contains)
          }
      }
  }
}

extension Checkpoint {
  /// Tells when it is time to keep what is done.
  struct Pacer {
    private let interval: Duration
    private var last = ContinuousClock.now
    /// True if anything has been kept.
    private var isBegun = false

    /// A pacer that begins now.
    init(_ interval: Duration) { self.interval = interval }

    /// True if it is time, after an archive that may be the last.
    ///
    /// After the last, what is left takes as long as the indexes do. A run that was too short to
    /// keep anything does not begin with it there.
    func isDue(isLast: Bool) -> Bool {
      isLast ? isBegun : ContinuousClock.now - last >= interval
    }

    /// Notes that something is kept.
    mutating func note() {
      last = .now
      isBegun = true
    }
  }
}

extension Checkpoint {
  /// The options and findings that must be equal for a run to resume this store.
  struct Request: Sendable, Codable, Hashable {
    /// The version of the converter.
    var version = ConverterVersion.current
    /// The digest of the mapping file; nil if there is none.
    var mapping: String?
    /// The digest of the model; nil if there is none.
    var model: String?
    /// The options that make a difference to what is written.
    var options: String
    /// The digest of the tables.
    var tables: String
    /// The outline of the profile that some archives predicted, where rows were written before all
    /// were read: what is kept counts if that of all has the same.
    var prediction: String?

    init(
      _ configuration: ImportConfiguration, _ options: ConversionOptions, _ layout: RelationalLayout
    ) {
      mapping = configuration.mappingText.map { MessageDigest.sha256(ofTexts: [$0]) }
      model = configuration.model?.digest()
      var parts = [configuration.optionsText(options), "\(options.limits)"]
      if options.isDryRun { parts.append("dry run") }
      if options.spill != nil { parts.append("full report") }
      if options.existingStore == .append { parts.append("append") }
      self.options = parts.joined(separator: " ")
      tables = MessageDigest.sha256(
        ofTexts: (layout.tables + layout.elementTables.map(\.table)).map(\.creation)
          + layout.indexes.map(\.creation))
    }

    /// The differences from an older request, in words: for the message of an error.
    func changes(since older: Request) -> [String] {
      var changes: [String] = []
      if version != older.version {
        changes.append("the converter (it was version \(older.version))")
      }
      if mapping != older.mapping { changes.append("the mapping") }
      if model != older.model { changes.append("the model") }
      if options != older.options { changes.append("an option") }
      return changes
    }
  }
}

extension StoreWriter {
  /// Completes the transaction, with the rows up to now and the progress, and begins another.
  ///
  /// - Parameters:
  ///   - progress: What is done.
  ///   - losses: The list of losses after those in memory, and how much of it is kept already.
  ///   - beginning: What tells one request from another, for a run that is to go on with this one:
  ///     it is written with the first checkpoint, and again as long as inputs are being read.
  ///   - body: Called when it is kept, on the queue's thread.
  /// - Throws: An error that an earlier row met.
  func checkpoint(
    _ progress: Checkpoint.Progress, _ losses: (UnlistedEntries, from: Int64),
    beginning: Checkpoint.Beginning?,
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let content = try Checkpoint.encoded(progress)
    try commit(
      { (database) throws(StoreError) in
        if let beginning { try Checkpoint.begin(beginning, in: database) }
        try Checkpoint.write(content, in: database)
        try Checkpoint.write(losses.0, from: losses.from, in: database)
      }, body)
  }
}
