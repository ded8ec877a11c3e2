import ArchiveWriter
import Foundation

/// Makes files that try to bring a reader down.
enum HostileFile {
  /// What a reader may take, as options of `ulimit`: memory in kilobytes, a small stack.
  static let limits = ["-v 2000000", "-s 1024"]

  // MARK: Property lists

  static func selfContainingArray() -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    table.add(.array([0]))
    return table.data()
  }

  static func deepArrays(_ depth: Int) -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    for level in 0..<depth { table.add(.array([UInt32(level + 1)])) }
    table.add(.value(true))
    return table.data()
  }

  static func doublingArrays(_ depth: Int) -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    for level in 0..<depth { table.add(.array([UInt32(level + 1), UInt32(level + 1)])) }
    table.add(.value("lol"))
    return table.data()
  }

  /// A list of one object, given as bytes.
  static func list(of object: [UInt8], claiming count: Int = 1) -> Data {
    func bigEndian(_ number: Int) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let trailer = [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(count) + bigEndian(0)
    return Data(
      Array("bplist00".utf8) + object + [8] + trailer + bigEndian(8 + object.count))
  }

  static func multiplyingEntities() -> Data {
    var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n<!ENTITY e0 \"lol\">\n"
    for level in 1..<40 { text += "<!ENTITY e\(level) \"&e\(level - 1);&e\(level - 1);\">\n" }
    return Data((text + "]>\n<plist version=\"1.0\"><string>&e39;</string></plist>\n").utf8)
  }

  static func fileEntity() -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <!DOCTYPE plist [<!ENTITY file SYSTEM "file:///etc/hostname">]>
      <plist version="1.0"><string>&file;</string></plist>
      """.utf8)
  }

  static func deepXML(_ depth: Int) -> Data {
    Data(
      ("<plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>").utf8)
  }

  // MARK: Archives

  static func archive(
    _ makeRoot: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) -> Data {
    KeyedArchiveBuilder.archive(makeRoot).binary()
  }

  /// An archive of one object with a container that no value can express under `list`.
  static func tornArchive(_ makeContainer: (inout RawArchive) -> RawArchive.Node) -> Data {
    var archive = RawArchive()
    let container = makeContainer(&archive)
    let root = archive.instance(of: "Thing", ["list": container])
    return archive.data(root: archive.addObject(root))
  }

  /// An archive of many objects, each of which holds the same thing under `shared`.
  static func sharing(
    owners: Int, _ makeShared: (inout RawArchive) -> RawArchive.Node
  ) -> Data {
    var archive = RawArchive()
    let shared = makeShared(&archive)
    let owner = archive.instance(of: "Owner", ["shared": shared])
    let all = (0..<owners).map { _ in archive.addObject(owner) }
    let list = archive.node(.array(all))
    let root = archive.instance(of: "NSArray", ["NS.objects": list])
    return archive.data(root: archive.addObject(root))
  }
}
