import Foundation
import GraphCore

/// Files that have no name, so that nobody else can reach them, and that go with their descriptor.
package enum TemporaryFile {
  /// Makes one in the first folder for temporary files that takes it.
  ///
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: The system's error for the last folder.
  package static func make() throws(SystemError) -> CInt {
    try TemporaryName.first(orThrow: SystemError(ENOENT), make(at:))
  }

  /// Makes one in the folder of a path at which there is nothing.
  ///
  /// Where the file system knows only files with names, the name is taken away at once.
  package static func make(at path: String) throws(SystemError) -> CInt {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    if let nameless = FileSystem.openNameless(in: folder) { return nameless }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    let named = try FileSystem.open(path, flags, mode: 0o600)
    _ = unsafe FileName.withPath(path) { unsafe unlink($0) }
    return named
  }
}

/// Unpredictable names for temporary files and folders.
package enum TemporaryName {
  /// The number of digits.
  package static let digitCount = 16

  /// Hexadecimal digits that nobody can predict.
  package static func digits() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: digitCount - digits.count) + digits
  }

  /// True if a text is such digits.
  static func areDigits(_ text: some StringProtocol) -> Bool {
    text.utf8.count == digitCount && text.allSatisfy(\.isHexDigit)
  }

  /// Makes something in the first folder for temporary files that takes it.
  ///
  /// - Parameters:
  ///   - none: The error if there is no such folder.
  ///   - make: Makes it at a path at which there is nothing.
  /// - Returns: The result of `make`.
  /// - Throws: The error of `make` for the last folder.
  package static func first<Made, Failure>(
    orThrow none: Failure, _ make: (_ path: String) throws(Failure) -> Made
  ) throws(Failure) -> Made {
    var failure = none
    for path in paths() {
      do throws(Failure) {
        return try make(path)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Paths at which there is nothing, in the folders for temporary files: the one that TMPDIR names
  /// comes first, the one for large files before that for small ones.
  package static func paths() -> [String] {
    let named = unsafe getenv("TMPDIR").map { unsafe FileName.text(cString: $0) }
    let folders = [named, "/var/tmp", "/tmp"].compactMap { $0 }.filter { !$0.isEmpty }
    return folders.map { "\($0)/convert-\(digits())" }
  }
}
