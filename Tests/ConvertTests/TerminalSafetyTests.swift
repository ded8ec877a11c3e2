import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("What is printed")
struct TerminalSafetyTests {
  /// Text that would command a terminal: to change its title, to clear itself, to ring.
  static let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{8}\u{9B}31m\u{7F}\r\u{1}\nend"

  /// A folder with an archive that has such text wherever an archive can have one.
  private func hostileArchive() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var archive = KeyedArchiveBuilder()
    archive.archiver = "Archiver\(Self.hostile)"
    let other = archive.instance(of: "Other\(Self.hostile)", ["x": 1])
    let root = archive.instance(
      of: "Class\(Self.hostile)",
      [
        "key\(Self.hostile)": archive.string(Self.hostile), "url": archive.url(Self.hostile),
        "other": other, "others": archive.array([other]),
        "class": archive.classRecord("Third\(Self.hostile)"),
        "pairs": archive.dictionary([archive.string(Self.hostile): other]),
        "surrogate\(Self.hostile)": archive.add(.utf16([0xD800])),
      ])
    archive.setTop("root\(Self.hostile)", root)
    try folder.write(archive.binary(), to: "hostile")
    return folder
  }

  /// The control characters in a text, line feeds left out.
  private func controls(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
    }
  }

  @Test(
    "holds no control characters from an archive",
    arguments: [
      ["inspect", "hostile", "--tree"], ["inspect", "hostile", "--json"],
      ["run", "hostile", "-o", "out.db", "--verbose"],
      ["run", "hostile", "-o", "out.db", "--dry-run", "--report", "report.txt"],
    ])
  func isCleanOfContent(arguments: [String]) throws {
    let folder = try hostileArchive()
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == 0)
    #expect(controls(result.output) == [])
    #expect(controls(result.errors) == [])
  }

  @Test(
    "holds no control characters from errors in an archive",
    arguments: [["inspect", "torn", "--tree"], ["inspect", "torn"], ["torn", "-o", "out.db"]])
  func isCleanOfErrors(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.add("torn") { archive in
      archive.instance(
        of: "Torn", ["list\(Self.hostile)": archive.array([.uid(99)]), "\(Self.hostile)": .uid(98)])
    }
    let result = try Program.run(arguments, in: folder.path)
    #expect(result.status == (arguments[0] == "inspect" ? 1 : 2))
    #expect(controls(result.output) == [])
    #expect(controls(result.errors) == [])
    if arguments[0] != "inspect" { #expect(result.errorLines.count == 1) }
  }

  /// Adds a Core Data store; returns its name.
  private static func addStore(to folder: TemporaryFolder) throws -> String {
    try folder.addSampleModel("Locations")
    let result = try folder.convert(
      "model", "Locations.xcdatamodeld", "--create-store", "s.sqlite", "--layout", "coredata")
    #expect(result.status == 0, "\(result.errors)")
    return "s.sqlite"
  }

  @Test("holds no control characters from arguments, in errors of usage")
  func isCleanOfArguments() throws {
    let folder = try TemporaryFolder()
    let store = try Self.addStore(to: folder)
    let arguments = [
      ["run", "--layout", Self.hostile, "a", "-o", "b"], ["run", "--\(Self.hostile)", "a"],
      [Self.hostile], ["check", store, Self.hostile], ["check", Self.hostile],
      ["migrate", Self.hostile, "--model", Self.hostile, "--dry-run"],
      ["model", Self.hostile], ["report", Self.hostile],
    ]
    for list in arguments {
      let result = try Program.run(list, in: folder.path)
      #expect(result.status == 64 || result.status == 2, "\(list)")
      #expect(result.output == "")
      #expect(controls(result.errors) == [])
      #expect(!result.errorLines.contains { $0.hasPrefix("end") })
    }
  }

  @Test(
    "holds no control characters from the names of files, a line for each error",
    arguments: [
      ["inspect"], ["run", "-o", "out.db"], ["run", "-o", "out.db", "--on-error", "skip"],
    ])
  func isCleanOfNames(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let name = "name\(Self.hostile)"
    try folder.addDamagedSample(as: name)
    let result = try Program.run(arguments + [name], in: folder.path)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(controls(result.errors) == [])
    #expect(result.errorLines.count == 1)
    #expect(
      result.errors.hasPrefix("name�]0;owned��[2J��31m���⏎end: the binary property list"))
  }
}
