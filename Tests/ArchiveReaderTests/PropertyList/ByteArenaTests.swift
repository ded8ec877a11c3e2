import Foundation
import TestSupport
import Testing

@testable import ArchiveReader

@Suite("Memory that small files share")
struct ByteArenaTests {
  private static func content(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
  }

  @Test(
    "holds the bytes of each as long as somebody holds it",
    arguments: [
      [1, 15, 16, 17, 1_000], Array(repeating: 100_000, count: 25),
      [1 << 17, (1 << 17) + 1, 5, 1 << 20, (1 << 20) + 1, 1 << 17],
    ])
  func holdsBytes(sizes: [Int]) throws {
    let folder = try TemporaryFolder()
    let arena = ByteArena()
    let contents = sizes.enumerated().map { Data(Self.content($0.offset, $0.element)) }
    var held: [(number: Int, storage: ByteStorage)] = []
    for number in sizes.indices {
      let path = try folder.write(contents[number], to: "f\(number)")
      held.append((number, try ByteStorage(contentsOf: path, in: arena)))
      // Some are let go of meanwhile.
      if number % 3 == 2 { held.removeFirst() }
      for (number, storage) in held {
        #expect(Data(storage.bytes) == contents[number])
      }
    }
    #expect(held.contains { $0.storage.residentBytes > 0 })
  }

  @Test("is used again when nobody holds a file in it, and not before")
  func isUsedAgain() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.content(0, 1_000), to: "f")
    let arena = ByteArena()
    func address() throws -> UInt {
      UInt(bitPattern: try ByteStorage(contentsOf: path, in: arena).bytes.baseAddress)
    }
    let first = try address()
    #expect(try address() == first)
    let held = try ByteStorage(contentsOf: path, in: arena)
    #expect(UInt(bitPattern: held.bytes.baseAddress) == first)
    #expect(try address() != first)
    #expect(held.bytes.elementsEqual(Self.content(0, 1_000)))
  }

  @Test("takes a piece that nobody holds any more rather than another one")
  func takesSparePieces() throws {
    let folder = try TemporaryFolder()
    let size = 100_000
    let path = try folder.write(Self.content(0, size), to: "f")
    let arena = ByteArena()
    var pieces: Set<UInt> = []
    var held: [ByteStorage] = []
    // Two pieces hold so many, and the first is smaller.
    for _ in 0..<1_000 {
      held.append(try ByteStorage(contentsOf: path, in: arena))
      if held.count > 25 { held.removeFirst() }
      pieces.insert(UInt(bitPattern: held.last?.bytes.baseAddress) >> 21)
    }
    #expect((2...4).contains(pieces.count))
    #expect(held.allSatisfy { $0.bytes.elementsEqual(Self.content(0, size)) })
  }

  @Test("gives the same errors as memory of a file's own")
  func errors() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write([UInt8](), to: "empty")
    for path in [empty, folder.file(named: "none"), folder.path] {
      let expected = #expect(throws: ArchiveError.self) { try ByteStorage(contentsOf: path) }
      let found = #expect(throws: ArchiveError.self) {
        try ByteStorage(contentsOf: path, in: ByteArena())
      }
      #expect(found == expected)
    }
  }
}
