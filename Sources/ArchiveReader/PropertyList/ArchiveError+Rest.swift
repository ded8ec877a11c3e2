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
  /// Whether the parts of the file that the error does not concern can still be read.
  var leavesRest: Bool {
    switch self {
    case .unreadable, .empty, .notAnArchive, .outOfMemory, .damagedLineEnds, .entityDeclared,
      .tooDeep, .tooMany, .expansion:
      false
    default: true
    }
  }
}
