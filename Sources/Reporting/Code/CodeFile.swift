/// A file of source code.
public struct CodeFile: Sendable, Equatable {
  /// Its name in the folder.
  public let name: String
  /// Its content, the last line ended.
  public let text: String
  /// True if it is a place for the user's own code, which is written once.
  public let isForHumans: Bool

  /// The words in the first two lines of all files that are made again.
  static let mark = "Made by archive-convert code"
}
