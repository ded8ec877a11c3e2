import ArchiveReader

/// An archive as a run had it: where it is, and its row in the store.
struct VerifiedArchive {
  /// Its id in the store.
  var id: Int64
  /// Its path now.
  var path: String
  /// The id of the archive around it.
  var parent: Int64?
  /// Where it stands in that one.
  var place: NestedPlace?
  /// Whether it is there to be compared.
  var isPresent = true
}
