import Foundation
import TestSupport
import Testing

@Suite("convert code, for a migrator")
struct MigratorCommandTests {
  private static let sources = "code/Sources/SMigrator"
  private static let tests = "code/Tests/SMigratorTests"

  @Test("writes the records that are written for GRDB")
  func records() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("migrator").status == 0)
    #expect(try folder.convert("code", "s.db", "--for", "grdb", "-o", "grdb").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "grdb"))
    #expect(names.count == 21)
    for name in names {
      #expect(
        try folder.text(of: "grdb/\(name)") == folder.text(of: "\(Self.sources)/\(name)"), "\(name)"
      )
    }
  }

  @Test("keeps files of one's own, and takes the archives of another store")
  func again() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("migrator").status == 0)
    try folder.write("enum LegacyNames {}\n", to: "\(Self.sources)/LegacyNames.swift")
    let alone = try folder.convert("MentalCase.archive", "-o", "other/s.db", "--quiet")
    #expect(alone.status == 2)
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "other"), withIntermediateDirectories: false)
    #expect(try folder.convert("MentalCase.archive", "-o", "other/s.db", "-q").status == 0)
    let result = try folder.writeCode("migrator", "other/s.db")
    #expect(
      result.output
        == "Wrote 14 files to code, and kept 9 files of your own; removed 3 files of former tables.\n",
      "\(result)")
    #expect(
      try folder.text(of: "\(Self.sources)/LegacyNames.swift") == "enum LegacyNames {}\n")
    let fixtures = try FileManager.default.contentsOfDirectory(
      atPath: folder.file(named: "\(Self.tests)/Fixtures"))
    #expect(Set(fixtures) == ["1-MentalCase.archive", "store.sqlite"])
  }

  @Test("takes archives that have moved, and depends on a repository if it is given a URL")
  func moved() throws {
    let folder = try TemporaryFolder.withStore()
    let archive = "MentalCase.archive"
    try FileManager.default.moveItem(
      atPath: folder.file(named: archive), toPath: folder.file(named: "moved"))
    let refused = try folder.writeCode("migrator")
    #expect(refused.status == 2)
    #expect(
      refused.errorLines == [
        "s.db: no migrator can be made: its archive MentalCase.archive is not there (name it with "
          + "--archive)"
      ])
    let result = try folder.convert(
      "code", "s.db", "--for", "migrator", "-o", "code", "--archive", "moved", "--archive",
      "QuickRecord.archive", "--project", "https://example.org/tools.git")
    #expect(result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "code/Package.swift").contains(
        #".package(url: "https://example.org/tools.git", branch: "main")"#))
    let part = try folder.convert(
      "code", "s.db", "--for", "migrator", "-o", "code", "--archive", "moved")
    #expect(part.status == 2)
    #expect(
      part.errorLines == [
        "s.db: no migrator can be made: QuickRecord.archive was converted, but is not among the inputs"
      ])
  }

  @Test("takes its own options alone")
  func options() throws {
    let folder = try TemporaryFolder.withStore()
    for option in [["--archive", "QuickRecord.archive"], ["--project", "."]] {
      let result = try Program.run(
        ["code", "s.db", "--for", "grdb", "-o", "code"] + option, in: folder.path)
      #expect(result.status == 64)
      #expect(
        result.errorLines.first == "Error: \(option[0]) can only be used with --for migrator.")
    }
  }
}
