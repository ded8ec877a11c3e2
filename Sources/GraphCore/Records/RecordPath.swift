/// The path of dictionaries: a top-level key or the key of a class's objects, and keys from there
/// on.
///
/// The elements of an array or a set have its path.
package struct RecordPath: Sendable, Hashable {
  /// The component that stands for every key of a dictionary whose keys are data.
  static let anyKey = "*"
  /// The path of what the top-level keys hold together.
  package static let topLevel = RecordPath(components: ["$top"])

  /// The steps as people see them: `$top` or the name of a class, then keys.
  package var components: [String]

  package init(components: [String]) { self.components = components }

  /// The path of a value under a key.
  func appending(_ key: String) -> RecordPath {
    RecordPath(components: components + [ArchivedKey.plain(key)])
  }

  /// The path as stores have it: `MTNote.attributes`, `$top.root.processes`.
  package var text: String { Self.text(components.joined(separator: ".")) }

  /// A path of a mapping file or a store as it is compared with others: by its bytes.
  package static func text(_ path: String) -> String {
    ArchivedName.text(ArchivedName.plain(path))
  }

  /// The least number of dictionaries that lead to it.
  var depth: Int { components.count - 1 }

  /// The name that the records there have as a class, unless it is taken: `MTNote_attributes`,
  /// `processes`.
  package var className: String {
    guard self != .topLevel else { return "Document" }
    var names = components
    if names[0] == Self.topLevel.components[0] {
      names.removeFirst()
      // The key of nearly every archive says nothing.
      if names.count > 1, names[0] == "root", names[1] != Self.anyKey { names.removeFirst() }
    } else {
      names[0] = EntityName.plain(names[0], stripPrefix: nil)
    }
    var words = names.map { name in
      name == Self.anyKey ? "value" : String(name.map { Self.isPlain($0) ? $0 : "_" })
    }
    // An underscore in front would be that of the tables that every store has.
    let signs = names[0].prefix { !Self.isPlain($0) }.count
    if names[0] != Self.anyKey, signs > 0 {
      let rest = words[0].dropFirst(signs)
      words[0] = rest.first?.isLetter == true ? String(rest) : "value\(rest)"
    }
    // Dictionaries in dictionaries repeat a word that says nothing more.
    let told = words.indices.filter {
      $0 == 0 || words[$0].lowercased() != words[$0 - 1].lowercased()
    }
    return told.map { words[$0] }.joined(separator: "_")
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
