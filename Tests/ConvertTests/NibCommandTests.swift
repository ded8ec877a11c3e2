import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("Compiled nibs")
struct NibCommandTests {
  /// A folder with the nib of a sample.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let archive = try KeyedArchive(contentsOf: "\(Repository.samples)/Locations.archive")
    try folder.write(NibWriter.nib(of: archive), to: "in/a.nib")
    return folder
  }

  @Test("are told apart in every form of a run")
  func runs() throws {
    let folder = try Self.folder()
    for arguments in [
      ["in", "-o", "out.db", "--verify", "--provenance", "--fts", "--report", "r.html"],
      ["in", "--store-per-archive", "out"], ["in", "-o", "dry.db", "--dry-run"],
      ["in", "-o", "again.db", "--resume", "--verify"], ["infer", "in", "-o", "draft.yaml"],
      ["check", "draft.yaml", "in"],
      ["in", "-o", "drafted.db", "--mapping", "draft.yaml", "--verify"],
      ["in", "-o", "out.db", "--if-exists", "append", "--provenance", "--verify"],
      ["verify", "out.db", "in"],
    ] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.status == 0, "\(arguments): \(result)")
    }
    #expect(try folder.text(of: "r.html").contains("nib"))
    try folder.store().expect("SELECT format, archiver FROM _archive", ["nib|UINibEncoder"])
  }
}
