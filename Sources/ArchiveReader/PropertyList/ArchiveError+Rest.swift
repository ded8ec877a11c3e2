extension ArchiveError {
  /// The same error; where the file is cut off, with the option that reads what is left.
  var offeringSalvage: ArchiveError {
    guard code == .truncated || code == .truncatedXML else { return self }
    var error = self
    error.name = (name.map { "\($0); " } ?? "") + "--salvage converts the rest"
    return error
  }
}

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
