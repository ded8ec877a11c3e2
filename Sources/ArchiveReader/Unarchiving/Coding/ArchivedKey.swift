/// Keys as programs know them, and as they are archived.
///
/// An archiver writes one more `$` before a key that begins with one, to keep it apart from the
/// format's own: `$class`, and `$0`, `$1` and so on for values without a key.
package enum ArchivedKey {
  /// The key as the program gave it.
  ///
  /// The numbered keys of unkeyed values ("$0") stay as they are.
  package static func plain(_ key: String) -> String {
    key.hasPrefix("$$") ? String(key.dropFirst()) : key
  }

  /// The key as it is archived.
  package static func escaped(_ key: String) -> String {
    key.hasPrefix("$") ? "$" + key : key
  }

  /// Whether a key is one of the format's own.
  static func isReserved(_ key: String) -> Bool {
    key.hasPrefix("$") && !key.hasPrefix("$$")
  }
}
