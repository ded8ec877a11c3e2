import Foundation
import TestSupport
import Testing

@Suite("Tar and zip files as inputs")
struct ContainerInputTests {
  /// The folder of `ManyArchives`, and the same files in a container.
  private static func folder(_ container: String) throws -> TemporaryFolder {
    let folder = try ManyArchives.folder()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "in"))
    let files = try names.map { ContainerMaker.File($0, try folder.contents(of: "in/\($0)")) }
    let isTar = container.hasSuffix(".tar")
    try folder.write(
      isTar ? ContainerMaker.tar(files) : ContainerMaker.zip(files), to: container)
    return folder
  }

  @Test("are converted as folders are", arguments: ["in.tar", "in.zip"])
  func same(container: String) throws {
    let folder = try Self.folder(container)
    let options = ["--open-nested", "--provenance", "-q"]
    let one = try Program.run(
      ["in", "-o", "one.db", "--report", "one.json"] + options, in: folder.path)
    let other = try Program.run(
      [container, "-o", "other.db", "--report", "other.json"] + options, in: folder.path)
    #expect(other.status == 1)
    #expect(other.errors.replacing("\(container)/", with: "in/") == one.errors)
    #expect(
      try folder.wholeContent("other.db", except: ["_report"]).replacing(
        "\(container)/", with: "in/")
        == folder.wholeContent("one.db", except: ["_report"]))
    #expect(
      try folder.report("other.json").replacing(container, with: "in")
        == folder.report("one.json"))
    #expect(
      try folder.convert("inspect", container).output.replacing("\(container)/", with: "in/")
        == folder.convert("inspect", "in").output)
    let verified = try folder.convert("verify", "other.db", container)
    #expect(verified.output.hasPrefix("Verification passed"))
    let place = try folder.convert("where", "other.db", "MTNote", "3")
    #expect(place.output.hasPrefix("file    \(container)/7 sample\n"), "\(place)")
    let again = try folder.convert("\(container)/4 note", "-o", "named.db", "-q", "--verify")
    #expect(again.status == 0, "\(again)")
  }

  @Test("stay what they are: no output takes their place, and databases in them are listed")
  func safety() throws {
    let folder = try TemporaryFolder()
    try folder.addDatabaseWithArchive(as: "data.db")
    try folder.addNotes("note", ["name": "a"])
    var files = try ["data.db", "note"].map { ContainerMaker.File($0, try folder.contents(of: $0)) }
    files.append(.init("inner.zip", ContainerMaker.zip(files)))
    try folder.write(ContainerMaker.zip(files), to: "in.zip")
    let refused = try folder.convert("in.zip", "-o", "in.zip", "--if-exists", "replace")
    #expect(refused.status == 2)
    #expect(refused.errors == "in.zip: is an input and must not be overwritten\n", "\(refused)")
    let result = try folder.convert("in.zip", "-o", "out.db", "--report", "out.json")
    #expect(result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "out.json").contains("which SQLite cannot open in a container"))
    #expect(try folder.text(of: "out.json").contains("inner.zip"))
    try folder.store().expect("SELECT path FROM _archive", ["in.zip/note"])
  }
}
