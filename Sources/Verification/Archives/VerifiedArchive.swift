import ArchiveReader
import Importer

/// An archive as a run had it: where it is, and its row in the store.
package struct VerifiedArchive {
  /// Its id in the store.
  package var id: Int64
  /// Its path now.
  package var path: String
  /// The id of the archive around it.
  package var parent: Int64?
  /// The place in that archive.
  package var place: NestedLocation?
  /// True if the archive is there to be compared.
  package var isPresent = true

  package init(
    id: Int64, path: String, parent: Int64? = nil, place: NestedLocation? = nil,
    isPresent: Bool = true
  ) {
    (self.id, self.path, self.parent) = (id, path, parent)
    (self.place, self.isPresent) = (place, isPresent)
  }
}
