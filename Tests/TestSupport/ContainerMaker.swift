import Foundation
import Support

/// Tar and zip files, made byte by byte.
package enum ContainerMaker {
  /// A file that is to be put into a container.
  package struct File {
    package var name: String
    package var content: Data
    /// For a zip file: false for bytes as they are.
    package var isDeflated = true
    /// For a zip file: the flags, the method and the size, where these are others than the true ones.
    package var flags = 0
    package var method: Int?
    package var size: Int?
    /// For a tar file: the kind of file.
    package var kind = "0"

    package init(_ name: String, _ content: Data) { (self.name, self.content) = (name, content) }
  }

  /// A tar file, the longer names as GNU tar or pax write them.
  package static func tar(_ files: [File], isPax: Bool = false) -> Data {
    files.reduce(Data()) { tar, file in
      var extra = Data()
      if file.name.utf8.count > 100 {
        extra =
          isPax
          ? entry("x", "x", Data(record("path", file.name).utf8))
          : entry("././@LongLink", "L", Data(file.name.utf8) + [0])
      }
      return tar + extra + entry(file.name, file.kind, file.content)
    } + Data(count: 1_024)
  }

  /// Bytes as a file of gzip.
  package static func gzip(_ data: Data) -> Data {
    func bytes(_ number: UInt32) -> Data {
      Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    return Data(header) + (Deflate.deflate(data) ?? Data())
      + bytes(Deflate.checksum(Array(data))) + bytes(UInt32(data.count))
  }

  private static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    let length = rest.utf8.count + "\(rest.utf8.count + 3)".utf8.count
    return "\(length)\(rest)"
  }

  private static func entry(_ name: String, _ kind: String, _ content: Data) -> Data {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ place: Int, most: Int) {
      for (index, byte) in text.utf8.prefix(most).enumerated() { header[place + index] = byte }
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.utf8.count) + text
    }
    put(name, 0, most: 100)
    put("0000644\0", 100, most: 8)
    put(octal(content.count, 11) + "\0", 124, most: 12)
    put(kind, 156, most: 1)
    put("ustar\u{0}00", 257, most: 8)
    put("        ", 148, most: 8)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", 148, most: 8)
    return header + content + Data(count: (512 - content.count % 512) % 512)
  }

  /// A zip file; a large one says where things are with 64 bits.
  package static func zip(_ files: [File], isLarge: Bool = false) -> Data {
    var (zip, directory) = (Data(), Data())
    func number(_ number: Int, _ size: Int) -> Data {
      Data((0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }
    for file in files {
      let packed = file.isDeflated ? Deflate.deflate(file.content) ?? Data() : file.content
      let method = file.method ?? (file.isDeflated ? 8 : 0)
      let name = Data(file.name.utf8)
      let sizes = (packed: packed.count, whole: file.size ?? file.content.count)
      let facts =
        number(20, 2) + number(file.flags, 2) + number(method, 2) + Data(count: 4)
        + number(Int(Deflate.checksum(Array(file.content))), 4)
      let extra =
        isLarge
        ? number(1, 2) + number(24, 2) + number(sizes.whole, 8) + number(sizes.packed, 8)
          + number(zip.count, 8) : Data()
      directory += number(0x0201_4B50, 4) + number(20, 2) + facts
      directory += number(isLarge ? 0xFFFF_FFFF : sizes.packed, 4)
      directory += number(isLarge ? 0xFFFF_FFFF : sizes.whole, 4)
      directory += number(name.count, 2) + number(extra.count, 2) + Data(count: 10)
      directory += number(isLarge ? 0xFFFF_FFFF : zip.count, 4) + name + extra
      zip += number(0x0403_4B50, 4) + facts + number(sizes.packed, 4) + number(sizes.whole, 4)
      zip += number(name.count, 2) + number(0, 2) + name + packed
    }
    let start = zip.count
    zip += directory
    if isLarge {
      let end = zip.count
      zip += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + Data(count: 8)
      zip += number(files.count, 8) + number(files.count, 8)
      zip += number(directory.count, 8) + number(start, 8)
      zip += number(0x0706_4B50, 4) + number(0, 4) + number(end, 8) + number(1, 4)
    }
    zip += number(0x0605_4B50, 4) + Data(count: 4) + number(files.count & 0xFFFF, 2)
    zip += number(files.count & 0xFFFF, 2) + number(isLarge ? 0xFFFF_FFFF : directory.count, 4)
    return zip + number(isLarge ? 0xFFFF_FFFF : start, 4) + number(3, 2) + Data("end".utf8)
  }
}
