import TestSupport
import Testing

extension TemporaryFolder {
  /// Makes a folder with a sample archive, and a reversible store of it.
  convenience init(reversible sample: String) throws {
    try self.init(samples: sample)
    let result = try convert(sample, "-o", "out.db", "--reversible", "--verify", "--quiet")
    #expect(result.status == 0, "\(result)")
  }

  /// Changes the store, exports it, and converts the archive again.
  func exported(after sql: String) throws -> (result: Program.Result, again: StoreQuery) {
    try change(sql)
    let result = try convert("export", "out.db", "-o", "new.archive", "--check")
    let again = try convert("new.archive", "-o", "again.db", "--verify", "--quiet")
    #expect(result.status == 0 && again.status == 0, "\(result) \(again)")
    return (result, try store("again.db"))
  }

  /// Changes the store.
  func change(_ sql: String) throws {
    let editor = try StoreEditor(file(named: "out.db"))
    defer { editor.close() }
    try editor.run(sql)
  }
}

extension StoreQuery {
  /// The content of a store but for what tells of its archive.
  func rowContent() throws -> String {
    try content(except: ["_archive", "_run", "_report", "_original", "_class"])
  }
}
