/// What stands under a key of an object, or of `$top`.
package struct ArchivedField: Sendable {
  /// The key, as archived.
  package var key: String
  /// Its place, for errors.
  package var place: ArchiveError.Position
  /// What the file has under the key.
  package var node: Node
  /// Whether that is a reference to an entry of `$objects`.
  package var isReference: Bool
  /// The value that it stands for.
  package var value: ArchivedValue

  /// The error for a value of another kind than the one asked for.
  package func wrongKind(expected: String) -> ArchiveError {
    ArchiveError(.wrongKind, at: place, name: expected)
  }
}
