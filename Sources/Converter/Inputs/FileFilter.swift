import ArchiveReader
import Foundation
import Support

/// A filter, by globs, for the files of directories.
///
/// `*` and `?` stand for any characters, `[a-z]` for one of several. A glob without a slash is for
/// the name of a file or directory; one with a slash is for its path below the directory that is
/// searched, where `*` stands for slashes as well. One that ends in a slash is for directories
/// only. Files that are named themselves are always looked at.
public struct FileFilter: Sendable, Hashable {
  /// Files are looked at only if one of these fits; none stands for all files.
  public var included: [String]
  /// Files are not looked at if one of these fits, and directories are not searched.
  public var excluded: [String]

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - included: Globs of files that are looked at; none for all.
  ///   - excluded: Globs of files and directories that are not.
  public init(included: [String] = [], excluded: [String] = []) {
    self.included = included
    self.excluded = excluded
  }

  /// True if a file is looked at.
  func admits(file path: String) -> Bool {
    (included.isEmpty || included.contains { Self.fits($0, path, isDirectory: false) })
      && !excluded.contains { Self.fits($0, path, isDirectory: false) }
  }

  /// True if a directory is searched.
  func admits(directory path: String) -> Bool {
    !excluded.contains { Self.fits($0, path, isDirectory: true) }
  }

  private static func fits(_ glob: String, _ path: String, isDirectory: Bool) -> Bool {
    let isForDirectories = glob.hasSuffix("/")
    guard isDirectory || !isForDirectories else { return false }
    let pattern = isForDirectories ? String(glob.dropLast()) : glob
    let subject =
      pattern.utf8.contains(UInt8(ascii: "/")) ? path : fileName(of: path)
    return FileName.fits(subject, pattern)
  }
}
