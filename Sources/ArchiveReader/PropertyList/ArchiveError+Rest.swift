extension ArchiveError.Code {
  /// Whether what stands before the error, or beside it, may be read in spite of it.
  var leavesRest: Bool {
    switch self {
    case .unreadable, .empty, .notAnArchive, .outOfMemory, .damagedLineEnds, .entityDeclared,
      .tooDeep, .tooMany, .expansion:
      false
    default: true
    }
  }
}
