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

/// A search that found no archives.
public struct FruitlessSearch: Sendable, Hashable, CustomStringConvertible {
  /// The paths that were searched.
  public let inputs: [String]
  /// The number of files that hold no keyed archive.
  public let skippedFiles: Int
  /// The kinds of these, in words, the most frequent first.
  private let skippedKinds: [String]
  /// The number of files and directories that a filter leaves out.
  public let excludedFiles: Int
  /// The options that leave them out.
  let filters: [String]

  init(_ inputs: [String], _ report: ConversionReport, _ filter: FileFilter) {
    self.inputs = inputs
    skippedFiles = report.skippedFiles
    let counts = Dictionary(grouping: report.skipped.listed, by: \.reason).mapValues(\.count)
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    skippedKinds = kinds.map { kinds.count == 1 ? $0.key : "\($0.key) (\($0.value))" }
    excludedFiles = report.excludedFiles
    filters =
      (filter.included.isEmpty ? [] : ["--include"])
      + (filter.excluded.isEmpty ? [] : ["--exclude"])
  }

  /// The places that were searched, in words, and what is there.
  public var description: String {
    let most = 3
    var places = inputs.prefix(most).joined(separator: ", ")
    if inputs.count > most { places += " and \(inputs.count - most) more" }
    var found: [String] = []
    if skippedFiles > 0 {
      let verb = skippedFiles == 1 ? "is not a keyed archive" : "are not keyed archives"
      let kinds = skippedKinds.prefix(most) + (skippedKinds.count > most ? ["…"] : [])
      let words = kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")
      found.append("\(Words.count(skippedFiles, "file")) \(verb)\(words)")
    }
    if excludedFiles > 0 {
      let count = Words.count(
        excludedFiles, "file or directory", plural: "files and directories")
      let verb = excludedFiles == 1 ? "is" : "are"
      found.append("\(count) \(verb) excluded by \(filters.joined(separator: " and "))")
    }
    let what = found.isEmpty ? "there are no files" : found.joined(separator: "; ")
    return "no keyed archive found in \(places): \(what)"
  }
}
