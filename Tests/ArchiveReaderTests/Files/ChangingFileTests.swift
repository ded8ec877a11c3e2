import Foundation
import Support
import TestSupport
import Testing

@testable import ArchiveReader

@Suite("The bytes of a file that another process changes")
struct ChangingFileTests {
  /// What others do to a file.
  enum Change: CaseIterable {
    case cut, emptied, overwritten, grown, replaced, deleted

    func make(_ path: String) throws {
      let other = [UInt8](repeating: 7, count: 9_000)
      switch self {
      case .cut: try #require(truncate(path, 4_096) == 0)
      case .emptied: try #require(truncate(path, 0) == 0)
      case .overwritten:
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 100_000)
        try file.write(contentsOf: other)
        try file.close()
      case .grown:
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: other)
        try file.close()
      case .replaced:
        try Data(other).write(to: URL(fileURLWithPath: path + ".new"))
        try #require(rename(path + ".new", path) == 0)
      case .deleted: try #require(unlink(path) == 0)
      }
    }
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3 ^ $0 >> 11) }
  }

  /// The contents of files, by their sizes, made once for all changes.
  private static let files = Dictionary(
    uniqueKeysWithValues: [200_000, 2_500_001].map { ($0, Data(bytes($0))) })

  @Test(
    "stay what they were", arguments: Change.allCases,
    [(200_000, true), (2_500_001, true), (2_500_001, false)])
  func stay(_ change: Change, _ file: (size: Int, leases: Bool)) throws {
    let folder = try TemporaryFolder()
    let expected = try #require(Self.files[file.size])
    let path = try folder.write(expected, to: "file")
    let storage = try ByteStorage(contentsOf: path, leases: file.leases)
    #expect(storage.bytes.prefix(5_000).elementsEqual(expected.prefix(5_000)))
    // Whoever opens the file to write to it waits until there is a copy.
    try change.make(path)
    #expect(Data(storage.bytes) == expected)
    try storage.check()
    #expect(try folder.names().allSatisfy { $0 == "file" })
  }

  @Test("are not taken while somebody has the file open to write to it, but copied")
  func openForWriting() throws {
    let folder = try TemporaryFolder()
    let expected = Self.bytes(2_500_001)
    let path = try folder.write(expected, to: "file")
    let writer = try #require(FileHandle(forUpdatingAtPath: path))
    let storage = try ByteStorage(contentsOf: path, leases: true)
    try writer.write(contentsOf: [1, 2, 3])
    try writer.truncate(atOffset: 10)
    try writer.close()
    #expect(storage.bytes.elementsEqual(expected))
    try storage.check()
  }

  @Test(
    "are refused where the file changes between opening and the end of reading",
    arguments: Change.allCases)
  func refused(_ change: Change) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.bytes(200_000), to: "file")
    let file = try InputFile(path)
    try file.check()
    try change.make(path)
    #expect(throws: ArchiveError.changed) { try file.check() }
  }
}
