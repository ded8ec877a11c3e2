import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("convert, with names of files that are any bytes")
struct RunFileNamesTests {
  /// Runs a line of the shell, in which $0 is the program.
  private static func shell(
    _ line: String, in folder: TemporaryFolder
  ) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, try Program.path()]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path, isDirectory: true)
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Both are shorter than what a pipe holds.
    process.waitUntilExit()
    return (
      process.terminationStatus,
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    )
  }

  @Test(
    "reads and writes them by their bytes, and shows them harmless",
    arguments: [
      ("caf\\351", "caf\\xE9"), ("\\377\\376", "\\xFF\\xFE"), ("cafe\\314\\201", "cafe\u{301}"),
      ("a\\342\\200\\256b", "a�b"), ("a\\342\\200\\250b", "a�b"), ("a\\033[1mb", "a�[1mb"),
    ])
  func bytes(name: String, shown: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let result = try Self.shell(
      """
      n="$(printf '\(name)')"; mkdir in && cp Locations.archive "in/$n" && mv Locations.archive "$n" &&
      "$0" "$n" -o "$n.db" && "$0" verify "$n.db" "$n" && "$0" in -o other.db -v && test -f "$n.db" &&
      "$0" inspect "$n" --tree && "$0" report "$n.db" && "$0" infer "$n" -o m.yaml &&
      "$0" in --store-per-archive stores && test -f "stores/$n.sqlite" && ! "$0" "$n.no" -o no.db
      """, in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains(" → \(shown).db, "))
    #expect(result.output.contains("\nin/\(shown) "))
    #expect(result.errors == "\(shown).no: cannot be read: No such file or directory\n")
    #expect(result.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(!result.output.contains("\u{202E}") && !result.output.contains("\u{2028}"))
    #expect(try folder.names().count == 6)
  }
}
