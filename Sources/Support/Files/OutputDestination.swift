import Foundation
import GraphCore

/// The destination of an output: the file that a path leads to.
///
/// A symbolic link at the path stays; what it leads to is written, whether it is there yet or not.
package struct OutputDestination: Hashable, Sendable {
  /// The path of the file, which is no link.
  package let path: String
  /// The path of its folder, with a slash at the end if there is one.
  package let folder: String
  package let name: String

  /// As many as Linux follows.
  private static let maxLinks = 40

  /// Finds the file that a path leads to.
  ///
  /// - Throws: The system's error if there are too many links.
  package init(_ path: String) throws(SystemError) {
    var path = path
    var count = 0
    while let next = Self.link(at: path) {
      count += 1
      guard count <= Self.maxLinks else { throw SystemError(ELOOP) }
      path = next.hasPrefix("/") ? next : Self.split(path).folder + next
    }
    self.path = path
    (folder, name) = Self.split(path)
  }

  /// The destination of the link at a path; nil if there is none.
  private static func link(at path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { room in
        unsafe FileName.withPath(path) { path in
          unsafe room.baseAddress.map { unsafe readlink(path, $0, room.count) } ?? 0
        }
      }
    }
    return count > 0 ? FileName.text(buffer.prefix(count)) : nil
  }

  /// By bytes: a combining mark after the slash would make one character with it.
  private static func split(_ path: String) -> (folder: String, name: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    return (String(path[..<start]), String(path[start...]))
  }

  // MARK: Names of unfinished files

  /// The prefix of the names of its unfinished files.
  ///
  /// A long name would leave no room for what follows.
  private var start: String {
    let isLong = name.utf8.count > 180
    return ".\(isLong ? MessageDigest.sha256(of: Data(name.utf8)).hexadecimal : name)."
  }

  private static let ending = ".convert-partial"

  /// A name for an unfinished file that nobody can predict.
  package func unfinishedName() -> String {
    start + TemporaryName.digits() + Self.ending
  }

  /// True if a name may be that of an unfinished file, or of its journal, for any destination.
  package static func isUnfinished(_ name: String) -> Bool { name.contains(ending) }

  /// The part of an unfinished file's name after the ending; nil for any other name.
  package func unfinishedSuffix(_ name: String) -> Substring? {
    guard name.hasPrefix(start) else { return nil }
    let rest = name.dropFirst(start.count)
    let digits = rest.prefix(TemporaryName.digitCount)
    guard TemporaryName.areDigits(digits) else { return nil }
    let behind = rest.dropFirst(digits.count)
    return behind.hasPrefix(Self.ending) ? behind.dropFirst(Self.ending.count) : nil
  }
}
