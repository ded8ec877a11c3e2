import ArchiveReader
import CoreDataStores
import Foundation
import Stores
import Support

/// The reports that a store keeps of the runs that made it.
///
/// What differs from run to run though the archives are the same (times, the path, size and digest
/// of the store) is not kept; it is determined again when a report is read.
public struct StoreReports {
  private let database: Database
  private let path: String
  /// The runs that the store has reports of, in their order.
  public let runs: [Int64]

  /// Looks into a store.
  ///
  /// - Parameter path: The path of the store.
  /// - Throws: `StoreError` if it cannot be read or keeps no report.
  public init(path: String) throws(StoreError) {
    self.path = path
    let isOfCoreData: Bool
    do throws(StoreError) {
      database = try Database(reading: path)
      isOfCoreData = try database.has(tables: CoreDataLayout.metadataTable)
      let keepsReports = try database.has(tables: RelationalLayout.reportTable)
      runs = keepsReports ? try Self.runs(in: database) : []
    } catch {
      throw error.unreadable(path)
    }
    guard !runs.isEmpty else {
      throw StoreError(
        .noReport, path: path,
        reason: isOfCoreData
          ? "a Core Data store keeps no report; to write one, use run --report"
          : "the database contains no report of a run")
    }
  }

  private static func runs(in database: Database) throws(StoreError) -> [Int64] {
    try database.rows("SELECT run_id FROM \(RelationalLayout.reportTable) ORDER BY run_id")
      .compactMap { if case .integer(let id) = $0.first { id } else { nil } }
  }

  /// The report of a run, with the size and digest of the store as it is now.
  ///
  /// - Parameter run: The number of the run; nil for the last.
  /// - Returns: The report. It begins when the first archive of the run was converted.
  /// - Throws: `StoreError` if the store has no such report, or cannot be read.
  public func report(ofRun run: Int64? = nil) throws(StoreError) -> ConversionReport {
    try report(ofRun: run, digest: nil)
  }

  /// The report of a run; the digest of the store is given where it is known, or in the making.
  package func report(
    ofRun run: Int64? = nil, digest: FileDigest?
  ) throws(StoreError) -> ConversionReport {
    guard let run = run ?? runs.last, runs.contains(run) else {
      let known = runs.map(String.init)
      let list = known.count > 10 ? known.prefix(10) + ["…"] : known[...]
      throw StoreError(
        .noReport, path: path,
        reason: "there is no report of run \(run ?? 0): the runs are "
          + list.joined(separator: ", "))
    }
    do {
      var report = try kept(ofRun: run)
      report.storePath = path
      report.storeBytes = 0
      if let digest { report.note(digest) } else { try report.digestStore() }
      report.startedAt = try start(ofRun: run)
      return report
    } catch let error as StoreError {
      throw error.unreadable(path)
    } catch {
      throw StoreError(.unreadable, path: path, reason: "\(error)")
    }
  }

  /// The report of the last run as the store keeps it, without what is not kept.
  package func lastKept() throws(StoreError) -> ConversionReport { try kept(ofRun: runs.last ?? 0) }

  /// The reports of all runs as the store keeps them, in their order.
  package func allKept() throws(StoreError) -> [ConversionReport] {
    var reports: [ConversionReport] = []
    for run in runs { reports.append(try kept(ofRun: run)) }
    return reports
  }

  private func kept(ofRun run: Int64) throws(StoreError) -> ConversionReport {
    let rows = try database.rows(
      "SELECT report FROM \(RelationalLayout.reportTable) WHERE run_id = ?", [.integer(run)])
    guard case .text(let text)? = rows.first?.first else {
      throw damage("its report is not text")
    }
    do {
      return try JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    } catch {
      throw damage("its report is damaged, or from a later version")
    }
  }

  private func damage(_ reason: String) -> StoreError {
    var error = StoreError(.unreadable, path: path, reason: reason)
    error.isDamage = true
    return error
  }

  /// When the first archive of a run was converted; nil if the store does not record it.
  private func start(ofRun run: Int64) throws(StoreError) -> Date? {
    guard try database.has(tables: RelationalLayout.archiveTable, RelationalLayout.runTable) else {
      return nil
    }
    let rows = try database.rows(
      """
      SELECT converted FROM \(RelationalLayout.archiveTable) WHERE id =
        (SELECT first_archive FROM \(RelationalLayout.runTable) WHERE id = ?)
      """, [.integer(run)])
    guard case .text(let text)? = rows.first?.first else { return nil }
    return try? Date(text, strategy: .iso8601)
  }

  /// A report as a store keeps it.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - path: The file that the store is built in, for errors.
  /// - Returns: The text.
  /// - Throws: `StoreError` if it has no form in JSON.
  package static func text(
    of report: ConversionReport, for path: String
  ) throws(StoreError) -> String {
    var kept = report
    (kept.startedAt, kept.seconds) = (nil, nil)
    (kept.storePath, kept.storeBytes, kept.storeSHA256) = ("", nil, nil)
    do {
      return try ReportJSON.text(of: kept, .compact)
    } catch {
      throw StoreError(.database, path: path, reason: "the report cannot be written as JSON")
    }
  }

  /// Puts the report of a run into a store that is complete but for it.
  ///
  /// - Parameters:
  ///   - text: The report: see `text(of:for:)`.
  ///   - run: The number of the run.
  ///   - path: The file that the store is built in: no other connection holds it.
  /// - Throws: The error of SQLite.
  package static func keep(_ text: String, ofRun run: Int64, in path: String) throws(StoreError) {
    let database = try Database(path: path)
    // As for all of the store: the file is private, and synced when it is published.
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
    let columns = RunSeal.columns.map(SQL.quoted).joined(separator: ", ")
    let record = try database.rows(
      "SELECT \(columns) FROM \(RelationalLayout.runTable) WHERE id = ?", [.integer(run)])
    let seal = RunSeal(report: text, run: record.first ?? [])
    _ = try database.rows(
      """
      INSERT INTO \(RelationalLayout.reportTable) (run_id, report, report_sha256, run_sha256)
        VALUES (?, ?, ?, ?)
      """, [.integer(run), .text(text), .text(seal.report), .text(seal.run)])
  }
}

extension StoreError {
  /// The error as one of a store that cannot be read.
  fileprivate func unreadable(_ path: String) -> StoreError {
    var error = StoreError(.unreadable, path: path, reason: reason)
    error.isDamage = isDamage
    return error
  }
}
