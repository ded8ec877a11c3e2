extension ArchiveError.Code {
  /// True if the parts of the file that the error does not concern can still be read.
  var leavesRest: Bool {
    switch self {
    case .unreadable, .empty, .notAnArchive, .outOfMemory, .damagedLineEnds, .entityDeclared,
      .tooDeep, .tooMany, .expansion:
      false
    default: true
    }
  }

  /// True if the file ends too early.
  var isTruncation: Bool { self == .truncated || self == .truncatedXML }
}
