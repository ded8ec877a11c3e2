import TestSupport
import Testing

@testable import Converter

@Suite("Files that are read before they have their turn")
struct ReadAheadTests {
  @Test("are begun with as long as something comes from the disk")
  func fromDisk() throws {
    let folder = try TemporaryFolder()
    let names = ["one", "two", "three"]
    for name in names { try folder.write("text", to: name) }
    let paths = names.map { folder.file(named: $0) }
    var blockCounts = [0, 8, 8, 24, 24].makeIterator()
    var readAhead = ArchiveBatch.Worker.ReadAhead { blockCounts.next() ?? 0 }
    let begun = (0..<5).map { _ in readAhead.begin(paths) }
    #if os(Linux)
      #expect(begun == [0, 3, 0, 3, 0])
    #else
      #expect(begun == [0, 0, 0, 0, 0])
    #endif
  }

  @Test("may be missing: that is told when they are opened")
  func missing() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "three"] { try folder.write("text", to: name) }
    var readAhead = ArchiveBatch.Worker.ReadAhead { 1 }
    let begun = readAhead.begin(["one", "two", "three"].map { folder.file(named: $0) })
    #if os(Linux)
      #expect(begun == 2)
    #else
      #expect(begun == 0)
    #endif
  }
}
