/// The rules for naming entities after archived classes, and properties after keys.
package struct NameRules: Sendable, Hashable {
  /// A prefix of class names that entities do without, and of keys that properties do without.
  package var stripPrefix: String?
  /// A beginning that the names of entities get.
  package var addPrefix: String?
  /// True if names become plain ones: see Documentation/layouts.md.
  package var isPlain: Bool
  /// True if properties have the names of their keys in any case.
  private var keepsKeys = false

  /// Rules by which names stay as they are archived, without a Swift module, unless something else
  /// is asked for.
  package init(stripPrefix: String? = nil, isPlain: Bool = false) {
    (self.stripPrefix, self.isPlain) = (stripPrefix, isPlain)
  }

  /// The rules for what has the names of a model: only a prefix of entities goes.
  package var ofModels: NameRules {
    var rules = NameRules(stripPrefix: stripPrefix)
    rules.keepsKeys = true
    return rules
  }

  /// True if properties may have other names than their keys.
  package var changesKeys: Bool { isPlain || stripPrefix != nil && !keepsKeys }

  /// The name of the entity of a class.
  package func entity(_ className: String) -> String {
    (addPrefix ?? "") + bareEntity(className)
  }

  private func bareEntity(_ className: String) -> String {
    let name = EntityName.plain(className, stripPrefix: stripPrefix)
    guard isPlain else { return name }
    let words = PlainName.words(name)
    // The prefix that was asked for is the one that the class has.
    guard !hasPrefix(className, name) else { return PlainName.name(words) }
    return PlainName.name(words.dropFirst(PlainName.prefix(of: words).count))
  }

  /// The name of the property of a key.
  ///
  /// - Parameters:
  ///   - key: The key as it is archived.
  ///   - className: The class whose objects have it.
  /// - Returns: The name.
  package func property(_ key: String, of className: String) -> String {
    let key = stripped(ArchivedKey.plain(key))
    return isPlain ? PlainName.property(key, classPrefix: prefix(of: className)) : key
  }

  /// A text that is the same for keys and properties that are taken for each other where no name is
  /// exactly the same: it has neither a prefix nor case.
  package func foldedKey(_ key: String) -> String { stripped(ArchivedKey.plain(key)).lowercased() }

  /// A key without the prefix that was asked for: with RB, RBOwner and rbOwner become owner, and
  /// RBURL becomes URL.
  private func stripped(_ key: String) -> String {
    guard let stripPrefix, !stripPrefix.isEmpty, !keepsKeys,
      let prefix = [stripPrefix, stripPrefix.lowercased()].first(where: key.hasPrefix)
    else { return key }
    let rest = key.dropFirst(prefix.count)
    guard let first = rest.first, first.isUppercase else { return key }
    if rest.dropFirst().first?.isUppercase == true { return String(rest) }
    return first.lowercased() + rest.dropFirst()
  }

  /// The prefix of a class's name that the name of its entity does not have.
  private func prefix(of className: String) -> String {
    let name = EntityName.plain(className, stripPrefix: stripPrefix)
    if hasPrefix(className, name) { return stripPrefix ?? "" }
    return String(PlainName.prefix(of: PlainName.words(name)))
  }

  private func hasPrefix(_ className: String, _ name: String) -> Bool {
    stripPrefix != nil && EntityName.plain(className, stripPrefix: nil) != name
  }
}
