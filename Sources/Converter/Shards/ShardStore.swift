import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Stores
import Support

/// The store of a shard, which tells its part in the run.
struct ShardStore {
  var path: String
  var shard: Shard
  var report: ConversionReport

  private static let table = RelationalLayout.shardTable

  /// Puts into a store which shard it is of, by which plan, and what became of its files.
  ///
  /// - Parameters:
  ///   - part: The shard and the plan.
  ///   - report: The report, as the store of a whole run keeps it.
  ///   - path: The file that the store is built in: no other connection holds it.
  /// - Throws: The error of SQLite.
  static func keep(_ part: ShardPart, _ report: String, in path: String) throws(StoreError) {
    let database = try Database(path: path)
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE \(table) (
        number INTEGER NOT NULL, count INTEGER NOT NULL, plan_sha256 TEXT NOT NULL,
        plan TEXT NOT NULL, report TEXT NOT NULL
      ) STRICT;
      """)
    _ = try database.rows(
      "INSERT INTO \(table) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(Int64(part.shard.number)), .integer(Int64(part.shard.count)),
        .text(part.planSHA256), .text(part.planText), .text(report),
      ])
  }

  /// Reads which shard a store is of.
  ///
  /// - Parameter path: The path of the store.
  /// - Returns: The store, and its plan with its digest.
  /// - Throws: `ConversionError` if it is the store of none.
  static func read(
    _ path: String
  ) throws -> (store: ShardStore, plan: String, planSHA256: String) {
    func unreadable(_ reason: String) -> ConversionError {
      .unreadable(path: path, reason: reason)
    }
    let rows: [[StoredValue]]
    do throws(StoreError) {
      let database = try Database(reading: path)
      rows =
        try database.has(tables: table)
        ? database.rows("SELECT number, count, plan_sha256, plan, report FROM \(table)") : []
    } catch {
      throw unreadable(error.reason)
    }
    guard !rows.isEmpty else { throw unreadable("it is not the store of a shard") }
    guard rows.count == 1, case .integer(let number) = rows[0][0],
      case .integer(let count) = rows[0][1], case .text(let digest) = rows[0][2],
      case .text(let plan) = rows[0][3], case .text(let text) = rows[0][4],
      let shard = Shard("\(number)/\(count)"),
      let report = try? JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    else { throw unreadable("its table \(table) is damaged, or from another version") }
    return (ShardStore(path: path, shard: shard, report: report), plan, digest)
  }
}

extension ShardedRun {
  /// Makes one store of those of all shards.
  ///
  /// - Parameters:
  ///   - paths: The paths of the stores, in whatever order.
  ///   - destination: The path of the store.
  ///   - given: What becomes of a file at the destination; limits.
  /// - Returns: The report of the run.
  /// - Throws: `ConversionError` if a shard is missing, or was made by another plan.
  public static func combine(
    _ paths: [String], to destination: String, _ given: ConversionOptions
  ) throws(ConversionError) -> ConversionReport {
    do {
      var stores: [ShardStore] = []
      var plan: (text: String, sha256: String, path: String)?
      for path in paths {
        let found = try ShardStore.read(path)
        if let plan, plan.sha256 != found.planSHA256 {
          throw ConversionError.unreadable(
            path: path, reason: "it was made by another plan than \(plan.path)")
        }
        plan = (found.plan, found.planSHA256, path)
        stores.append(found.store)
      }
      guard let plan else {
        throw ConversionError.unreadable(path: destination, reason: "there are no shards")
      }
      stores.sort { $0.shard.number < $1.shard.number }
      for (index, store) in stores.enumerated() where store.shard.number != index + 1 {
        throw ConversionError.unreadable(
          path: store.path,
          reason: store.shard.number <= index
            ? "shard \(store.shard.number) is there twice" : "shard \(index + 1) is missing")
      }
      guard stores.count == stores[0].shard.count else {
        throw ConversionError.unreadable(
          path: destination, reason: "shard \(stores.count + 1) is missing")
      }
      let whole = try ShardFile.plan(plan.text, plan.path)
      let options = whole.request.options(given, time: whole.time)
      var conversion = Conversion(inputs: [], destination: destination, options: options)
      return try conversion.combine(stores, by: whole)
    } catch let error as ConversionError {
      throw error
    } catch {
      throw .unwritable(path: destination, reason: "\(error)")
    }
  }
}

extension Conversion {
  /// Makes one store of those of shards.
  fileprivate mutating func combine(
    _ stores: [ShardStore], by whole: ShardPlan
  ) throws(ConversionError) -> ConversionReport {
    let start = ContinuousClock.now
    shardStores = stores
    let configuration = try ImportConfiguration(options)
    options.prepareMigration(configuration)
    classesReadAsObjects = configuration.claimedClasses
    try checkDestination(InputFinder(found: stores.map(\.path), options.sourceOpener))
    for store in stores { report.add(shard: store.report) }
    report.skipped.sort()
    report.modelNotes = configuration.model?.notes.map { "\($0)" } ?? []
    let basis = Speculation.Basis(
      archives: [], profile: whole.profile, plan: try plan(for: whole.profile, configuration))
    report.unusedNames = configuration.unusedNames(whole.profile, planOptions)
    _ = try write(basis, configuration) { _, _ in }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  /// Copies the rows of the shards, in their order; returns the number of archives.
  func importShards(_ store: StoreWriter, _ run: ImportRun) throws(StoreError) -> Int64 {
    var archives: Int64 = 0
    for shard in shardStores {
      let part = try store.insertRows(
        ofStoreAt: shard.path, after: run.context.lastRows, archive: archives)
      run.context.lastRows = run.context.lastRows.followed(by: part.rows)
      archives += part.archive
    }
    return archives
  }
}
