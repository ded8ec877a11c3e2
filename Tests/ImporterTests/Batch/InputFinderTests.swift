import ArchiveReader
import Foundation
import Support
import TestSupport
import Testing

@testable import Converter

@Suite("The search for archives")
struct InputFinderTests {
  /// Files that are no keyed archives.
  private static let others: [(bytes: [UInt8], kind: SkippedFile.Kind, reason: String)] = [
    (
      Array("SQLite format 3\0 CREATE TABLE Z_METADATA (Z_VERSION INTEGER)".utf8), .coreDataStore,
      "a Core Data SQLite store"
    ),
    (
      Array(
        "<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"CoreData.dtd\"><database/>".utf8
      ),
      .coreDataStore, "a Core Data XML store"
    ),
    (Array("CoreData\0\0\0\u{1}".utf8), .coreDataStore, "a Core Data binary store"),
    (
      Array("SQLite format 3\0 CREATE TABLE a(b) bplist00".utf8), .databaseWithArchives,
      "an SQLite database that contains archives"
    ),
    (
      Array("SQLite format 3\0".utf8) + Array(repeating: 1, count: (1 << 20) - 20)
        + [0x04, 0x0B] + Array("streamtyped".utf8),
      .databaseWithArchives, "an SQLite database that contains archives"
    ),
    (Array("SQLite format 3\0 CREATE TABLE a(b)".utf8), .database, "an SQLite database"),
    ([], .empty, "an empty file"),
    (Array("PK\u{3}\u{4}".utf8), .other, "a ZIP archive"),
    (Array("<?xml version=\"1.0\"?><svg/>".utf8), .other, "XML or HTML"),
  ]

  @Test("names the files of directories that are no archives, and counts them by kind")
  func kinds() throws {
    let folder = try TemporaryFolder()
    for (number, file) in Self.others.enumerated() {
      try folder.write(file.bytes, to: "in/\(10 + number)")
    }
    try #require(symlink("nowhere", folder.file(named: "in/link")) == 0)
    try #require(mkfifo(folder.file(named: "in/pipe"), 0o600) == 0)
    let skipped = InputFinder([folder.file(named: "in")]).skipped
    #expect(
      skipped.listed.map(\.kind) == Self.others.map(\.kind) + [.other, .other])
    #expect(
      skipped.listed.map(\.reason)
        == Self.others.map(\.reason) + ["a broken symbolic link", "not a regular file"])
    #expect(
      skipped.words == """
        3 Core Data stores, 2 SQLite databases with archives, \
        1 SQLite database, 1 empty file, 4 other files
        """)
    #expect(skipped.leftOut == 0)
  }

  @Test("lists so many files that are no archives, and counts the others")
  func manyOthers() throws {
    var skipped = SkippedFiles()
    for number in 0..<1_234 {
      skipped.add(SkippedFile(path: "\(number)", kind: .other, reason: "text"))
    }
    #expect(skipped.listed.count == 1_000)
    #expect(skipped.count == 1_234)
    #expect(skipped.leftOut == 234)
    #expect(skipped.words == "1,234 files")
  }

  @Test("tells which files and directories cannot be read, and why")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "in/text")
    try #require(symlink("loop", folder.file(named: "in/loop")) == 0)
    #if os(Linux)
      // Its first page is no memory.
      try #require(symlink("/proc/self/mem", folder.file(named: "in/memory")) == 0)
    #endif
    let finder = InputFinder([folder.file(named: "in"), folder.file(named: "missing")])
    let names = finder.unreadable.map { ($0.path as NSString).lastPathComponent + ": " + $0.reason }
    #if os(Linux)
      #expect(
        names == [
          "loop: Too many levels of symbolic links", "memory: Input/output error",
          "missing: No such file or directory",
        ])
    #else
      #expect(names.count == 2)
    #endif
    #expect(finder.skipped.count == 1)
  }

  @Test("finds archives below paths of any length, whose names are any bytes")
  func longPaths() throws {
    let folder = try TemporaryFolder()
    // Foundation deletes no such paths.
    defer {
      let remove = URL(fileURLWithPath: "/bin/rm")
      try? Process.run(remove, arguments: ["-rf", folder.file(named: "in")]).waitUntilExit()
    }
    var path = folder.file(named: "in")
    try FileSystem.makeFolders(path)
    for number in 0..<30 {
      path += "/\(number)" + String(repeating: "p", count: 220)
      try FileSystem.makeFolders(path)
      guard number % 7 == 0 else { continue }
      try Self.write(
        SmallArchives.archive(number, withLarge: false).binary(), to: "\(path)/a")
    }
    let name = FileName.text([0x61, 0xE9, 0x0A])
    try Self.write(SmallArchives.archive(99, withLarge: false).binary(), to: "\(path)/\(name)")
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: folder.file(named: "out.sqlite"),
      options: ConversionOptions())
    let report = try conversion.run()
    #expect(report.archives.count == 6)
    #expect(report.archives.allSatisfy { $0.outcome == .converted })
    #expect(report.archives.contains { $0.path.hasSuffix("/" + name) })
    #expect(try JSONDocument.text(of: report).contains("/a\\\\xE9\\n\""))
  }

  private static func write(_ bytes: Data, to path: String) throws {
    let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: bytes)
  }
}
