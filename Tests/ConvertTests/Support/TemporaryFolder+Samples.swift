import ArchiveWriter
import Foundation
import TestSupport

extension TemporaryFolder {
  /// Makes a folder with copies of sample archives.
  convenience init(samples names: String...) throws {
    try self.init()
    for name in names { try addSample(name) }
  }

  /// Copies a sample archive into the folder, under its own name unless told otherwise.
  func addSample(_ name: String, as copy: String? = nil) throws {
    try write(
      try Data(contentsOf: URL(fileURLWithPath: "\(Repository.samples)/\(name)")),
      to: copy ?? name)
  }

  /// Writes the beginning of a sample archive, which makes a damaged one.
  func addDamagedSample(as name: String) throws {
    let path = "\(Repository.samples)/MentalCase.archive"
    try write(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(3_000), to: name)
  }

  /// Makes a database with an archive in a column.
  func addDatabaseWithArchive(as name: String) throws {
    try write("", to: name)
    let editor = try StoreEditor(file(named: name))
    let bytes = KeyedArchiveBuilder.archive { _ in .string("x") }.binary()
    let hex = bytes.map { String(format: "%02X", $0) }.joined()
    try editor.run("CREATE TABLE note (data BLOB); INSERT INTO note VALUES (x'\(hex)')")
    editor.close()
  }

  /// Writes an archive with one object at `root`.
  func add(
    _ name: String, _ makeRoot: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws {
    try write(try KeyedArchiveBuilder.archive(makeRoot).binary(), to: name)
  }

  /// The bytes of a file.
  func contents(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(named: name)))
  }

  /// Runs the program in the folder.
  func convert(
    _ arguments: String..., environment: [String: String] = [:], limits: [String] = []
  ) throws -> Program.Result {
    try Program.run(arguments, in: path, environment: environment, limits: limits)
  }

  /// The store in the folder.
  func store(_ name: String = "out.db") throws -> StoreQuery {
    try StoreQuery(file(named: name))
  }
}

extension String {
  /// The text of a summary without what differs from run to run: seconds and sizes of stores.
  var masked: String {
    replacing(/in \d+\.\d\d s/, with: "in # s")
      .replacing(/, \d+(\.\d+)? (bytes|kB|MB)/, with: ", # kB")
      .replacing(/^store     [0-9A-F-]{36}$/, with: "store     #")
  }
}
