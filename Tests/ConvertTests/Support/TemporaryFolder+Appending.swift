import TestSupport
import Testing

extension TemporaryFolder {
  /// Makes a folder with two archives of notes, the first of which is in the store, and a mapping.
  static func withStoreOfNotes(_ options: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write("entities: {Note: {identity: uid}}", to: "m.yaml")
    let result = try Program.run(["one", "-o", "out.db", "-q"] + options, in: folder.path)
    try #require(result.status == 0, "\(result)")
    return folder
  }

  /// Adds archives to a store in the folder.
  func append(_ arguments: String..., to store: String = "out.db") throws -> Program.Result {
    try Program.run(arguments + ["-o", store, "--if-exists", "append"], in: path)
  }
}
