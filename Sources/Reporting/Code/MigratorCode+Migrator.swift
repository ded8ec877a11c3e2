extension MigratorCode {
  /// The one function of the package that apps call.
  static let migrator = #"""
    /// The outcome of a migration.
    public struct MigrationSummary: Sendable, Equatable {
      /// The numbers of inserted rows by table.
      public var rows: [String: Int] = [:]
      /// The keys of old objects that have no column (`Note.color`), with the numbers of objects.
      public var unreadKeys: [String: Int] = [:]
    }

    /// Brings the data of an old version of the app into its database, once.
    public enum Migrator {
      /// Reads old archives, and inserts what they hold into a database, all or nothing.
      ///
      /// The archives are only read, and stay where they are.
      ///
      /// - Parameters:
      ///   - paths: The paths of the archives.
      ///   - database: The path of the database, which is made if it is not there.
      /// - Returns: What was inserted; nil if the database has it already.
      /// - Throws: Why nothing was inserted: `LegacyError`, `ArchiveError`, `DatabaseError`.
      @discardableResult
      public static func migrate(
        archivesAt paths: [String], into database: String
      ) throws -> MigrationSummary? {
        let isNew = !FileManager.default.fileExists(atPath: database)
        if !isNew, try DatabaseQueue(path: database).read(isDone) { return nil }
        var last: [String: Int64] = [:]
        let archives = try paths.map { try LegacyArchive(contentsOf: $0, after: &last) }
        do {
          let queue = try DatabaseQueue(path: database)
          let summary = try queue.write { db in
            try isDone(db) ? nil : insert(zip(paths, archives), into: db)
          }
          try queue.close()
          return summary
        } catch {
          if isNew {
            for ending in ["", "-journal", "-wal", "-shm"] {
              try? FileManager.default.removeItem(atPath: database + ending)
            }
          }
          throw error
        }
      }

      private static func isDone(_ db: Database) throws -> Bool { try db.tableExists("_archive") }

      private static func insert(
        _ archives: some Sequence<(String, LegacyArchive)>, into db: Database
      ) throws -> MigrationSummary {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for statement in LegacySchema.statements { try db.execute(sql: statement) }
        var summary = MigrationSummary()
        for (path, archive) in archives {
          let name = URL(fileURLWithPath: path).lastPathComponent
          try archive.insert(into: try LegacyWriter(db, archive: name))
          summary.rows.merge(archive.counts, uniquingKeysWith: +)
          summary.unreadKeys.merge(archive.unreadKeys, uniquingKeysWith: +)
        }
        for (table, rows) in summary.rows {
          let inserted = try Table(table).fetchCount(db)
          guard inserted == rows else {
            throw LegacyError("\(table): \(rows) rows were read, but \(inserted) inserted")
          }
        }
        try db.checkForeignKeys()
        summary.rows = summary.rows.filter { $0.value > 0 }
        return summary
      }
    }

    """#

  /// The tests of the package, after their expectations.
  static let testBody = #"""
      @Test("inserts the rows of the store once, and leaves the archives as they are")
      func migrates() throws {
        let folder = try FixtureFolder()
        let paths = Self.archives.map { folder.path($0) }
        let before = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let path = folder.path("new.sqlite")
        let summary = try #require(try Migrator.migrate(archivesAt: paths, into: path))
        #expect(summary.rows == Self.rows)
        #expect(summary.unreadKeys == [:])
        #expect(try Migrator.migrate(archivesAt: paths, into: path) == nil)
        #expect(try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
        let new = try DatabaseQueue(path: path)
        let store = try DatabaseQueue(path: folder.path("store.sqlite"))
        for table in Self.rows.keys.sorted() {
          func rows(_ database: DatabaseQueue) throws -> [Row] {
            try database.read { db in
              let key = try db.primaryKey(table).columns.map(\.quotedDatabaseIdentifier)
              return try Row.fetchAll(
                db,
                sql: """
                  SELECT * FROM \(table.quotedDatabaseIdentifier) ORDER BY \(key.joined(separator: ", "))
                  """)
            }
          }
          let (found, expected) = (try rows(new), try rows(store))
          #expect(found.count == expected.count, "\(table)")
          let difference = zip(found, expected).first { $0 != $1 }
          #expect(difference == nil, "\(table)")
        }
      }

      @Test("leaves nothing behind when an archive cannot be read")
      func fails() throws {
        let folder = try FixtureFolder()
        let paths = Self.archives.map { folder.path($0) }
        let last = try #require(paths.last)
        try Data("bplist00".utf8).write(to: URL(fileURLWithPath: last))
        #expect(throws: (any Error).self) {
          try Migrator.migrate(archivesAt: paths, into: folder.path("new.sqlite"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
      }

      /// A copy of the archives and the store.
      final class FixtureFolder {
        private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init() throws {
          let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures")
          try FileManager.default.copyItem(at: fixtures, to: url)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func path(_ name: String) -> String { url.appending(path: name).path }
      }
    }

    """#
}
