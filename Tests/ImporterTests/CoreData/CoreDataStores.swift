import Foundation
import Importer
import TestSupport
import Testing

/// A real Core Data store and its model, in a folder that stands beside the repository on some
/// machines.
struct CoreDataStorePair: CustomTestStringConvertible, Sendable {
  let name: String

  var testDescription: String { name }

  /// The folder of all pairs; nil where it is absent.
  static let folder: String? = {
    let path = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .appendingPathComponent("shared/coredata").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// All pairs, sorted; none where the folder is absent.
  static let all: [CoreDataStorePair] = {
    guard let folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { CoreDataStorePair(name: $0) }.filter { $0.exists("store.sqlite") }
  }()

  /// The path of the model's source, if the pair has it.
  var xmlModel: String? { path("model.xcdatamodel") }
  /// The path of the compiled model that the store carries, if it carries one.
  var compiledModel: String? { path("modelcache.mom") }

  /// The path of the store.
  var store: String { "\(root)/store.sqlite" }

  /// What the store says of its model.
  func metadata() throws -> CoreDataMetadata { try withStore(CoreDataMetadata.init) }

  /// Looks into the store.
  ///
  /// It is read from a copy, as a store in WAL mode cannot be opened in a read-only folder.
  func withStore<Result>(_ body: (StoreQuery) throws -> Result) throws -> Result {
    let temporary = try TemporaryFolder()
    for suffix in ["", "-wal"] where exists("store.sqlite\(suffix)") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(root)/store.sqlite\(suffix)"))
      try temporary.write(bytes, to: "store.sqlite\(suffix)")
    }
    return try body(try StoreQuery(temporary.file(named: "store.sqlite")))
  }

  private var root: String { "\(Self.folder ?? "")/\(name)" }

  private func exists(_ file: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(file)")
  }

  private func path(_ file: String) -> String? {
    exists(file) ? "\(root)/\(file)" : nil
  }
}

/// What a Core Data store says of its model.
struct CoreDataMetadata {
  let hashes: [String: Data]
  let digest: String?
  let checksum: String?
  let identifiers: [String]
  /// The rows of Z_PRIMARYKEY: number, name and number of the parent.
  let numbers: [String]

  /// Reads what stands in a store.
  init(_ store: StoreQuery) throws {
    // As `StoreQuery` gives it: "x'…'".
    let text = try store.value("SELECT Z_PLIST FROM Z_METADATA")
    let digits = Array(text.utf8.dropFirst(2).dropLast())
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let metadata = list as? [String: Any] ?? [:]
    hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    digest = metadata["NSStoreModelVersionHashesDigest"] as? String
    checksum = metadata["NSStoreModelVersionChecksumKey"] as? String
    identifiers = metadata["NSStoreModelVersionIdentifiers"] as? [String] ?? []
    numbers = try store.lines(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
  }
}
