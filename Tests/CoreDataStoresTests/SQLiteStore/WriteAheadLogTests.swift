import CoreDataStores
import DataModel
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("A write-ahead log")
struct WriteAheadLogTests {
  /// A change to a log of two frames, each of 24 bytes and a page of 4,096, behind a header
  /// of 32 bytes.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    /// Whether the note is there, and whether the tag that the log holds is read.
    var isNoted: Bool
    var hasTag: Bool
    var change: @Sendable (inout Data) -> Void
    var testDescription: String { name }
  }

  private static let frame = 24 + 4_096

  static let changes = [
    Change(name: "none", isNoted: false, hasTag: true) { _ in },
    Change(name: "cut off in the header", isNoted: true, hasTag: false) { $0 = $0.prefix(20) },
    Change(name: "cut off after the header", isNoted: false, hasTag: false) { $0 = $0.prefix(32) },
    Change(name: "cut off in a frame's header", isNoted: true, hasTag: false) {
      $0 = $0.prefix(32 + 10)
    },
    Change(name: "cut off in the last page", isNoted: true, hasTag: true) { $0.removeLast(100) },
    Change(name: "no log at all", isNoted: true, hasTag: false) {
      $0 = Data(repeating: 103, count: 700)
    },
    Change(name: "another page size", isNoted: true, hasTag: false) { $0[10] = 3 },
    Change(name: "another mark in the header", isNoted: true, hasTag: false) { $0[17] ^= 1 },
    Change(name: "another byte in the last page", isNoted: true, hasTag: true) {
      $0[$0.count - 1] ^= 1
    },
    Change(name: "another mark in the first frame", isNoted: true, hasTag: false) {
      $0[32 + 9] ^= 1
    },
    Change(name: "no page number", isNoted: true, hasTag: false) {
      $0.replaceSubrange(32..<36, with: [0, 0, 0, 0])
    },
    Change(name: "frames of an earlier log behind", isNoted: false, hasTag: true) { log in
      var old = log.suffix(Self.frame)
      old[old.startIndex + 9] ^= 1
      log.append(old)
      log.append(old.prefix(1_000))
    },
    Change(name: "rest of an earlier log behind", isNoted: false, hasTag: true) { log in
      var old = log.suffix(Self.frame)
      old[old.startIndex + 9] ^= 1
      log.append(old)
      log.append(old.prefix(10))
    },
  ]

  /// What is lost with the rest of a log.
  private static let loss = ArchiveError(
    .unreadable, name: StoreNote(.damagedLog).description)

  @Test("is refused where it is damaged, unless the store is salvaged", arguments: changes)
  func note(_ change: Change) throws {
    let maker = try StoreMaker.sampleWithLog(
      then: "UPDATE ZFOLDER SET ZNAME = 'House' WHERE Z_PK = 1;")
    try Self.edit(maker, frames: 2, change.change)
    let source = try maker.open(salvages: true)
    #expect(source.notes == [])
    #expect(source.losses == (change.isNoted ? [Self.loss] : []))
    #expect(StoreTranscript(source).text.contains("late") == change.hasTag)
    if change.isNoted {
      #expect(throws: ModelError(.damagedLog, path: maker.path)) { try maker.open() }
    } else {
      #expect(StoreTranscript(try maker.open()).text.contains("late") == change.hasTag)
    }
    // A check tells of it, too.
    let found = try Self.findings(maker)
    #expect(found == (change.isNoted ? [StoreFinding(.damagedLog, table: "-wal")] : []))
    #expect(found.allSatisfy { !$0.isNote })
  }

  @Test("is noted where it ends within a transaction")
  func unfinished() throws {
    let maker = try StoreMaker.sampleWithLog(
      then: """
        BEGIN; UPDATE ZFOLDER SET ZNAME = 'House' WHERE Z_PK = 1;
        UPDATE ZTAG SET ZNAME = 'other' WHERE Z_PK = 1; COMMIT;
        """)
    try Self.edit(maker, frames: 3) { $0.removeLast(Self.frame) }
    let source = try maker.open()
    #expect(source.notes == [StoreNote(.unfinishedLog)])
    #expect(StoreTranscript(source).text.contains("late"))
    #expect(!StoreTranscript(source).text.contains("House"))
    #expect(
      try Self.findings(maker) == [StoreFinding(.unfinishedLog, table: "-wal", isNote: true)])
  }

  @Test("is whole where frames of a transaction that was taken back stand behind its own")
  func takenBack() throws {
    // With so small a cache, changes are written to the log before their transaction ends.
    let maker = try StoreMaker.sampleWithLog(
      then: """
        PRAGMA cache_size = 5; BEGIN; CREATE TABLE X (a);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO X SELECT randomblob(4000) FROM n; ROLLBACK;
        UPDATE ZFOLDER SET ZNAME = 'House' WHERE Z_PK = 1;
        """)
    let log = try Data(contentsOf: URL(fileURLWithPath: maker.path + "-wal"))
    try #require(log.count > 32 + 10 * Self.frame)
    #expect(try maker.open().notes == [])
    #expect(StoreTranscript(try maker.open()).text.contains("House"))
    #expect(try Self.findings(maker) == [])
    // Damage in a frame of its own is found before them.
    try Self.edit(maker) { $0[32 + 2 * Self.frame - 1] ^= 1 }
    #expect(throws: ModelError(.damagedLog, path: maker.path)) { try maker.open() }
  }

  @Test("is damaged if the shared memory counts more frames", arguments: [false, true])
  func index(isCut: Bool) throws {
    let maker = try StoreMaker.sampleWithLog(
      then: "UPDATE ZFOLDER SET ZNAME = 'House' WHERE Z_PK = 1;", keepsIndex: true)
    try Self.edit(maker, frames: 2) { if isCut { $0.removeLast(Self.frame) } }
    let source = try maker.open(salvages: true)
    #expect(source.losses == (isCut ? [Self.loss] : []))
    #expect(StoreTranscript(source).text.contains("House") == !isCut)
    if isCut { #expect(throws: ModelError.self) { try maker.open() } }
    // That of another log says nothing of this one.
    try Self.edit(maker, file: "-shm") { $0[32] ^= 1 }
    #expect(try maker.open().notes == [])
  }

  /// Changes the log of a store, which has a number of frames, or another file beside the store.
  private static func edit(
    _ maker: StoreMaker, file: String = "-wal", frames: Int? = nil,
    _ change: (inout Data) -> Void
  ) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: maker.path + file))
    if let frames { try #require(bytes.count == 32 + frames * frame) }
    change(&bytes)
    try maker.folder.write(bytes, to: "store.sqlite\(file)")
  }

  /// What a check says of the log.
  private static func findings(_ maker: StoreMaker) throws -> [StoreFinding] {
    let models = try TemporaryFolder()
    let model = models.file(named: "Model.xcdatamodeld")
    try XMLModelWriter(StoreMaker.model).write(to: model)
    return try StoreCheck.run(maker.path, model: model).findings.filter { $0.table == "-wal" }
  }
}
