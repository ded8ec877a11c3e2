import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert run --open-nested, on a store that is there")
struct RunNestedAppendTests {
  /// A folder with an archive in an archive, and the inner one as a file.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(NestedArchives.chain(2), to: "outer")
    try folder.write(NestedArchives.item("Item", name: "2").binary(), to: "inner")
    return folder
  }

  private static let archives = "SELECT id, path, parent, uid, key FROM _archive"

  @Test("skips what is inside with the archive around it")
  func skips() throws {
    let folder = try folder()
    #expect(try folder.convert("outer", "-o", "out.db", "--open-nested").status == 0)
    let content = try folder.store().content()
    let result = try folder.append("outer", "--open-nested", "--report", "r.json")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix("Converted 0 archives, skipped 1 already in the store in "))
    #expect(!result.output.contains("Opened"))
    #expect(try folder.store().content() == content)
    let report = try folder.text(of: "r.json")
    #expect(report.matches(of: /"outcome" : "skipped"/).count == 2)
    #expect(report.contains("\"path\" : \"outer#2.payload\""))
  }

  @Test("does not take a file for the archive inside of another, though they are equal")
  func sameBytes() throws {
    let folder = try folder()
    #expect(try folder.convert("outer", "-o", "out.db", "--open-nested").status == 0)
    #expect(try folder.append("inner", "--open-nested").status == 0)
    try folder.store().expect(
      Self.archives,
      ["1|outer|NULL|NULL|NULL", "2|outer#2.payload|1|2|payload", "3|inner|NULL|NULL|NULL"])
    try folder.store().expect(
      "SELECT count(DISTINCT sha256) FROM _archive WHERE id > 1", "1")
    #expect(try folder.append("inner", "--open-nested").output.hasPrefix("Converted 0 archives"))
    // Without the option it is another request.
    #expect(try folder.append("inner").status == 0)
    try folder.store().expect("SELECT count(*), count(parent) FROM _archive", ["4|1"])
    try folder.store().expectSound()
  }

  @Test("adds the columns to a store that has them not")
  func olderStore() throws {
    let folder = try folder()
    #expect(try folder.convert("inner", "-o", "out.db").status == 0)
    #expect(try folder.append("outer", "--open-nested").status == 0)
    try folder.store().expect(
      Self.archives,
      ["1|inner|NULL|NULL|NULL", "2|outer|NULL|NULL|NULL", "3|outer#2.payload|2|2|payload"])
    try folder.store().expect(
      "SELECT id, first_archive, last_archive FROM _run", ["1|1|1", "2|2|3"])
    try folder.store().expectSound()
  }

  @Test("leaves out a file or what is inside of it where rules are broken")
  func rules() throws {
    let folder = try TemporaryFolder()
    try folder.write(NestedArchives.chain(3), to: "in/a")
    try folder.write(NestedArchives.chain(2), to: "in/b")
    try folder.write(
      "entities: {Item: {attributes: {name: {pattern: '[12]'}}}}", to: "m.yaml")
    let result = try folder.convert(
      "in", "-o", "out.db", "--open-nested", "--mapping", "m.yaml", "--report", "r.json")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("\nOpened: 2 nested archives; rejected 1.\n"))
    try folder.store().expect(
      "SELECT path, parent FROM _archive",
      ["in/a|NULL", "in/a#2.payload|1", "in/b|NULL", "in/b#2.payload|3"])
    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
    #expect(
      report.contains(
        """
        "outcome" : "rejected", "parent" : "in/a#2.payload", \
        "path" : "in/a#2.payload#2.payload", "uid" : 2 }
        """))
  }
}
