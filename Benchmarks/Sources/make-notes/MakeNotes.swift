import ArchiveWriter
import ArgumentParser
import Foundation

/// Makes the archives of the benchmarks and, beside them, the rows that they hold.
///
/// The same numbers give the same bytes.
@main
struct MakeNotes: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "make-notes")

  @Argument(help: "How many notes, or with --directory how many archives of 20 to 50 notes.")
  var count: Int

  @Argument(help: "The file or, with --directory, the folder to write; its rows go to PATH.rows.")
  var path: String

  @Flag(help: "Write XML.")
  var xml = false

  @Flag(help: "Write many small archives.")
  var directory = false

  func run() throws {
    var rows = RowFile()
    if directory {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      for number in 0..<count {
        var notes = NoteGenerator(seed: UInt64(1000 + number))
        let archive = try archive(of: notes.number(20...50), perFolder: 25, &notes, &rows)
        try write(archive, to: path + "/notes\(100_000 + number).archive")
      }
    } else {
      var notes = NoteGenerator(seed: 1)
      try write(try archive(of: count, perFolder: 50, &notes, &rows), to: path)
    }
    try rows.bytes.write(to: URL(fileURLWithPath: path + ".rows"))
  }

  private func archive(
    of count: Int, perFolder: Int, _ notes: inout NoteGenerator, _ rows: inout RowFile
  ) throws -> KeyedArchiveBuilder {
    var archive = NoteArchive()
    for first in stride(from: 0, to: count, by: perFolder) {
      let folder = notes.folder(first / perFolder, notes: min(perFolder, count - first))
      try archive.add(folder)
      rows.add(folder)
    }
    archive.finish(exportedAt: notes.instant())
    return archive.builder
  }

  private func write(_ archive: KeyedArchiveBuilder, to path: String) throws {
    try (xml ? archive.xml() : archive.binary()).write(to: URL(fileURLWithPath: path))
  }
}
