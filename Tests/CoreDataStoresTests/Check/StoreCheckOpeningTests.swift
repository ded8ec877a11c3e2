import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Checking a store")
struct StoreCheckOpeningTests {
  /// The ways in which a program may leave a store.
  enum Left: CaseIterable, Sendable {
    case closed, withLog, withJournal

    func store() throws -> StoreMaker {
      switch self {
      case .closed: try .sample()
      case .withLog: try StoreMaker.sampleWithLog()
      case .withJournal: try SQLiteStoreOpeningTests.storeWithJournal()
      }
    }
  }

  /// What is found in the sample: a note has no place among the items of its folder.
  private static let missingOrder = StoreFinding(
    .missingOrder, table: "ZITEM", row: 5, column: "Z_FOK_FOLDER")
  /// What is found of the tag that is in the log: its key was never counted.
  private static let exceededMaximum = StoreFinding(
    .exceededMaximum, table: "Z_PRIMARYKEY", row: 5, column: "Z_MAX", name: "ZTAG")

  private let models: TemporaryFolder
  private let model: String

  init() throws {
    models = try TemporaryFolder()
    model = models.file(named: "Model.xcdatamodeld")
    try XMLModelWriter(StoreMaker.model).write(to: model)
  }

  @Test("sees all rows and files, and changes nothing in its folder", arguments: Left.allCases)
  func folder(left: Left) throws {
    let maker = try left.store()
    let folder = maker.folder.path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    let before = try SQLiteStoreOpeningTests.listing(folder)
    let result = try StoreCheck.run(maker.path, model: model)
    let ofLog = left == .withLog ? [Self.exceededMaximum] : []
    #expect(result.findings == [Self.missingOrder] + ofLog)
    #expect(result.rows == 11 + ofLog.count)
    #expect(try SQLiteStoreOpeningTests.listing(folder) == before)
  }

  @Test("finds journals and files beside the file that a symbolic link leads to")
  func symbolicLink() throws {
    let maker = try StoreMaker.sampleWithLog()
    let link = models.file(named: "link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: maker.path)
    let result = try StoreCheck.run(link, model: model)
    #expect(result.findings == [Self.missingOrder, Self.exceededMaximum])
    #expect(result.rows == 12)
  }

  @Test("reports a file with data that is only a link to one, as a conversion does")
  func linkedData() throws {
    let maker = try StoreMaker()
    let name = ".store_SUPPORT/_EXTERNAL_DATA/\(StoreMaker.photoName)"
    try maker.folder.write("data", to: "other")
    let folder = URL(fileURLWithPath: maker.folder.file(named: name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: maker.folder.file(named: name),
      withDestinationPath: maker.folder.file(named: "other"))
    #expect(
      try StoreCheck.run(maker.path, model: model).findings == [
        Self.missingOrder,
        Self.photoFinding("is not a regular file"),
      ])
  }

  @Test("reports a file with data that is missing or too large, and notes one of no row")
  func externalData() throws {
    let maker = try StoreMaker.sample()
    let folder = ".store_SUPPORT/_EXTERNAL_DATA"
    let photo = maker.folder.file(named: "\(folder)/\(StoreMaker.photoName)")
    try maker.folder.write("", to: "\(folder)/.DS_Store")
    #expect(try StoreCheck.run(maker.path, model: model).findings == [Self.missingOrder])
    for name in ["00000000-0000-4000-8000-000000000000", "other"] {
      try maker.folder.write("left", to: "\(folder)/\(name)")
    }
    let surplus = StoreFinding(.surplusExternalFiles, table: folder, name: "2 files")
    #expect(surplus.isNote)
    #expect("\(surplus)" == "\(folder): no row refers to 2 files in it")
    let result = try StoreCheck.run(maker.path, model: model)
    #expect(result.findings == [Self.missingOrder, surplus])
    try #require(truncate(photo, off_t(1_100_000_000)) == 0)
    #expect(
      try StoreCheck.run(maker.path, model: model).findings == [
        Self.missingOrder,
        Self.photoFinding("is too large: it has 1100000000 bytes, and at most 998951424 are read"),
        surplus,
      ])
    try FileManager.default.removeItem(atPath: photo)
    #expect(
      try StoreCheck.run(maker.path, model: model).findings == [
        Self.missingOrder, Self.photoFinding("is missing in \(folder)"), surplus,
      ])
  }

  @Test("notes the tables of nobody that have rows, as a conversion does")
  func addedTables() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1);
      CREATE TABLE Own (id INTEGER PRIMARY KEY); INSERT INTO Own VALUES (1), (2);
      CREATE TABLE None (id INTEGER PRIMARY KEY);
      """)
    #expect(
      try StoreCheck.run(maker.path, model: model).findings == [
        Self.missingOrder, StoreFinding(.addedTable, table: "Own"),
      ])
  }

  /// The finding on the file with the photo of a note.
  private static func photoFinding(_ words: String) -> StoreFinding {
    StoreFinding(
      .unreadExternalFile, table: "ZITEM", row: 5, column: "ZPHOTO",
      name: "the external file \(StoreMaker.photoName) \(words)")
  }
}
