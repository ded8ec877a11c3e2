/// Keys as programs know them, and as they are archived.
///
/// An archiver writes one more `$` before a key that begins with one, to keep it apart from the
/// format's own: `$class`, and `$0`, `$1` and so on for values without a key.
package enum ArchivedKey {
  /// The key as the program gave it.
  ///
  /// The numbered keys of unkeyed values ("$0") stay as they are.
  package static func plain(_ key: String) -> String { ArchivedName.plain(unescaped(key)) }

  /// The key as the program gave it, as a text that is equal to that of no other: see
  /// `ArchivedName`.
  package static func unescaped(_ key: String) -> String {
    key.utf8.starts(with: "$$".utf8) ? String(key.unicodeScalars.dropFirst()) : key
  }

  /// The key as it is archived.
  package static func escaped(_ key: String) -> String {
    ArchivedName.text(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key)
  }

  /// True if a key is one of the format's own.
  package static func isReserved(_ key: String) -> Bool {
    key.utf8.first == UInt8(ascii: "$") && !key.utf8.starts(with: "$$".utf8)
  }
}
