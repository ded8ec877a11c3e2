import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// A conversion by a mapping, in a folder of a test's own.
///
/// The archives are `a0.plist` and so on unless they are copies of samples, the store is `out.db`.
struct SeedRun {
  let folder: TemporaryFolder
  let inputs: [String]
  var options = ConversionOptions()

  /// Takes archives made in memory, and a mapping that may name the sample models.
  init(
    _ archives: KeyedArchiveBuilder..., mapping: String? = nil,
    policies: [String: any MigrationPolicy.Type] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    inputs = try archives.enumerated().map { number, archive in
      try folder.write(archive.binary(), to: "a\(number).plist")
    }
    try use(mapping, policies)
  }

  /// Takes a copy of a sample archive.
  init(
    sample: String, mapping: String? = nil, policies: [String: any MigrationPolicy.Type] = [:]
  ) throws {
    folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(Repository.samples)/\(sample)"))
    inputs = [try folder.write(bytes, to: sample)]
    try use(mapping, policies)
  }

  /// Uses another mapping from now on.
  mutating func use(
    _ mapping: String?, _ policies: [String: any MigrationPolicy.Type] = [:]
  ) throws {
    options.extensions.policies.merge(policies) { $1 }
    guard let mapping else { return }
    let text = mapping.replacing("SAMPLES", with: Repository.samples)
    options.mappingPath = try folder.write(text, to: "mapping.yaml")
  }

  /// The text of one of the sample mappings.
  static func sampleMapping(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Repository.samples)/\(name)", encoding: .utf8)
      .replacing("model: ", with: "model: SAMPLES/")
  }

  /// Converts the archives.
  @discardableResult
  func convert() throws -> SeedStore {
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "out.db"), options: options)
    let report = try conversion.run()
    let store = try StoreQuery(folder.file(named: "out.db"))
    #expect(try store.flaws() == [])
    return SeedStore(store: store, report: report)
  }

  /// What is said when the conversion fails, with the paths of files as names; the files in the
  /// folder are expected to be what they were, and no others to come.
  func messages(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let before = try contents()
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "out.db"), options: options)
    let error = #expect(throws: ConversionError.self, sourceLocation: sourceLocation) {
      try conversion.run()
    }
    let after = try contents()
    #expect(after == before, sourceLocation: sourceLocation)
    return error?.messages.map { $0.replacing(folder.path + "/", with: "") } ?? []
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try folder.names() {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder.file(named: name)))
    }
    return contents
  }
}

/// The store of a conversion, and its report.
struct SeedStore {
  let store: StoreQuery
  let report: ConversionReport

  func lines(_ sql: String) throws -> [String] { try store.lines(sql) }

  /// The tables and views of entities and collections, those of the store's own left out.
  func tables() throws -> [String] {
    try store.lines(
      """
      SELECT type || ' ' || name FROM sqlite_schema
        WHERE type IN ('table', 'view') AND substr(name, 1, 1) <> '_'
      """)
  }

  /// The values of which something was lost: "key: before → after: reason".
  var losses: [String] {
    report.losses.map { "\($0.className).\($0.key): \($0.before) → \($0.after): \($0.reason)" }
  }
}
