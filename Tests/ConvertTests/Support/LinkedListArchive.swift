import Foundation

/// A binary archive of many objects, each of which holds the next one: `Link` → `Link` → … → nil.
///
/// Written byte by byte: builders that hold every value take minutes for a million objects in a
/// debug build.
enum LinkedListArchive {
  /// The nodes of the property list, in the order of the file; the objects follow, then the UIDs
  /// that they hold.
  private enum Node {
    static let topKeys = 1
    static let versionValue = 5
    static let archiverValue = 6
    static let topValue = 7
    static let rootKey = 8
    static let rootUID = 9
    static let classKey = 10
    static let nextKey = 11
    static let classUID = 12
    static let objects = 13
    static let null = 14
    static let classRecord = 15
    static let firstObject = 20
  }

  /// Writes an archive of a number of objects.
  static func bytes(count: Int) -> Data {
    var writer = Writer(capacity: 1_024 + count * 34)
    writer.append("bplist00")
    writer.beginNode()
    writer.append(0xD4)
    for node in 0..<4 { writer.append32(Node.topKeys + node) }
    for node in [Node.versionValue, Node.archiverValue, Node.topValue, Node.objects] {
      writer.append32(node)
    }
    for key in ["$version", "$archiver", "$top", "$objects"] { writer.appendString(key) }
    writer.beginNode()
    writer.append(0x12)
    writer.append32(100_000)
    writer.appendString("NSKeyedArchiver")
    writer.beginNode()
    writer.append(0xD1)
    writer.append32(Node.rootKey)
    writer.append32(Node.rootUID)
    writer.appendString("root")
    writer.appendUID(2)
    writer.appendString("$class")
    writer.appendString("next")
    writer.appendUID(1)
    writer.beginNode()
    writer.append(0xAF)
    writer.append(0x12)
    writer.append32(count + 2)
    writer.append32(Node.null)
    writer.append32(Node.classRecord)
    for place in 0..<count { writer.append32(Node.firstObject + place) }
    writer.appendString("$null")
    writer.beginNode()
    writer.append(0xD2)
    for node in 1...4 { writer.append32(Node.classRecord + node) }
    writer.appendString("$classname")
    writer.appendString("$classes")
    writer.appendString("Link")
    writer.beginNode()
    writer.append(0xA1)
    writer.append32(Node.classRecord + 3)
    for place in 0..<count {
      writer.beginNode()
      writer.append(0xD2)
      writer.append32(Node.classKey)
      writer.append32(Node.nextKey)
      writer.append32(Node.classUID)
      writer.append32(Node.firstObject + count + place)
    }
    for place in 0..<count { writer.appendUID(place + 1 < count ? place + 3 : 0) }
    return writer.finish()
  }

  /// Bytes at one address, and the offsets of the nodes among them.
  private struct Writer {
    private let space: UnsafeMutableRawPointer
    private let offsets: UnsafeMutablePointer<UInt32>
    private var size = 0
    private var nodes = 0

    init(capacity: Int) {
      space = .allocate(byteCount: capacity, alignment: 16)
      offsets = .allocate(capacity: capacity / 5)
    }

    mutating func append(_ byte: UInt8) {
      space.storeBytes(of: byte, toByteOffset: size, as: UInt8.self)
      size += 1
    }

    mutating func append32(_ value: Int) {
      space.storeBytes(
        of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: size, as: UInt32.self)
      size += 4
    }

    mutating func append(_ text: String) {
      for byte in text.utf8 { append(byte) }
    }

    mutating func beginNode() {
      offsets[nodes] = UInt32(size).bigEndian
      nodes += 1
    }

    mutating func appendString(_ text: String) {
      beginNode()
      if text.utf8.count < 15 {
        append(0x50 | UInt8(text.utf8.count))
      } else {
        append(0x5F)
        append(0x10)
        append(UInt8(text.utf8.count))
      }
      append(text)
    }

    mutating func appendUID(_ uid: Int) {
      beginNode()
      append(0x83)
      append32(uid)
    }

    /// Appends the offset table and the trailer; the writer is of no use afterwards.
    mutating func finish() -> Data {
      let tableStart = size
      memcpy(space + size, offsets, nodes * 4)
      size += nodes * 4
      for byte: UInt8 in [0, 0, 0, 0, 0, 0, 4, 4] { append(byte) }
      for number in [nodes, 0, tableStart] {
        append32(0)
        append32(number)
      }
      offsets.deallocate()
      return Data(
        bytesNoCopy: space, count: size,
        deallocator: .custom {
          $0.deallocate(); _ = $1
        })
    }
  }
}
