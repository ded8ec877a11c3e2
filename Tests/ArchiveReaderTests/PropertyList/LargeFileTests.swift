import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("Files of more than 4 GiB")
struct LargeFileTests {
  /// Of the file, only the first and the last page take room on a disk.
  private static let dataSize = 5 << 30

  private static func bigEndian(_ number: Int, size: Int = 8) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// An array of data of 5 GiB, all of it zeros, and of a string that stands behind it.
  ///
  /// - Returns: False where the file system keeps no holes, or has no room.
  private static func makeFile(_ path: String) throws -> Bool {
    let head = Array("bplist00".utf8) + [0xA2, 1, 2, 0x4F, 0x13] + bigEndian(dataSize)
    let text = head.count + dataSize
    let table = text + 4
    var tail: [UInt8] = Array("Send".utf8)
    for offset in [8, 11, text] { tail += bigEndian(offset, size: 5) }
    tail += [0, 0, 0, 0, 0, 0, 5, 1]
    for number in [3, 0, table] { tail += bigEndian(number) }

    try Data(head).write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? file.close() }
    do {
      try file.seek(toOffset: UInt64(text))
      try file.write(contentsOf: tail)
    } catch {
      return false
    }
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == text + tail.count
      && status.st_blocks * 512 < 1 << 24
  }

  /// Whether they are read where they lie, as in conversions, or copied before, which takes a
  /// while.
  private static let leases = Thoroughness.some([true, false], oneIn: 2)

  @Test("are mapped, and not held in memory", arguments: leases)
  func areMapped(leases: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "large")
    guard try Self.makeFile(path) else {
      withKnownIssue("the file system keeps no files with holes") { Issue.record("skipped") }
      return
    }
    let list = try PropertyList(
      ByteStorage(contentsOf: path, leases: leases), limits: .standard)
    #expect(list.byteCount > Self.dataSize)
    #expect(list.residentBytes == 0)
    guard case .array(let run) = list.table.value(of: list.top), run.count == 2,
      case .data(let data) = list.table.value(of: list.table[run, 0])
    else {
      Issue.record("the list is not the one that was written")
      return
    }
    #expect(data.offset == 21)
    #expect(data.count == Self.dataSize)
    #expect(list.table.bytes(data).suffix(3).elementsEqual([0, 0, 0]))
    #expect(list.table.string(at: list.table[run, 1]) == "end")
  }

  @Test("that are cut off are told, at once", arguments: leases)
  func areTold(leases: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "large")
    guard try Self.makeFile(path) else {
      withKnownIssue("the file system keeps no files with holes") { Issue.record("skipped") }
      return
    }
    try #require(truncate(path, off_t(Self.dataSize)) == 0)
    let error = #expect(throws: ArchiveError.self) {
      try PropertyList(ByteStorage(contentsOf: path, leases: leases), limits: .standard)
    }
    #expect(error?.code == .damagedTrailer)
  }
}
