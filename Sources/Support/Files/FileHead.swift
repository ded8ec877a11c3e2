import Foundation
import GraphCore

/// The first bytes of a file, which tell what it is.
package struct FileHead: Sendable {
  /// The most bytes of a file that are read: comments may stand before what identifies it.
  package static let maxBytes = 1 << 16

  /// The number of them that are read as text.
  package static let textSize = 1_024

  package let bytes: [UInt8]

  /// Copies the first of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file, all or the first of them.
  ///   - count: The most bytes that are copied.
  package init(_ bytes: BorrowedBytes, upTo count: Int = FileHead.maxBytes) {
    self.bytes = unsafe Array(bytes.part(0..<min(count, bytes.count)).buffer)
  }

  /// Copies the first bytes of data.
  package init(_ data: Data) {
    bytes = Array(data.prefix(Self.maxBytes))
  }

  /// Reads the head of an open file, from where that stands.
  ///
  /// - Throws: The system's error.
  package init(of descriptor: CInt) throws(SystemError) {
    bytes = try FileSystem.read(descriptor, upTo: Self.maxBytes)
  }

  /// True if the file begins with a mark.
  package func starts(with mark: String) -> Bool { bytes.starts(with: mark.utf8) }

  /// True if the file is an SQLite database.
  package var isDatabase: Bool { starts(with: "SQLite format 3\0") }

  /// True if the file is a database whose changes go into a write-ahead log.
  package var isInLogMode: Bool {
    let version = 18
    return isDatabase && bytes.count > version && bytes[version] > 1
  }

  /// The first bytes as text without zeros, so that UTF-16 is ASCII.
  package var text: String {
    String(decoding: bytes.prefix(Self.textSize).filter { $0 != 0 }, as: UTF8.self)
  }
}
