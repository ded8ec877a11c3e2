/// The value under a key of an object, or of `$top`.
package struct ArchivedField: Sendable {
  /// The key, as archived.
  package var key: String
  /// Its place, for errors.
  package var place: ArchiveError.Position
  /// True if the source has a reference to an object under the key.
  package var isReference: Bool
  /// The value that it stands for.
  package var value: GraphValue

  /// The error for a value of another kind than the one asked for.
  package func wrongKind(expected: String) -> ArchiveError {
    ArchiveError(.wrongKind, at: place, name: expected)
  }
}
