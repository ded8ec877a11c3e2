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

/// Names of entities from names of classes.
package enum EntityName {
  /// The name of a class without its Swift module and, if asked for, without a prefix.
  ///
  /// "Garden.Plant" becomes "Plant", and so does the mangled "_TtC6Garden5Plant". A prefix goes
  /// only where a capital letter follows it: "MT" turns "MTNote" into "Note" and leaves "MTa" and
  /// "MT" alone.
  package static func plain(_ className: String, stripPrefix: String?) -> String {
    var name = ArchivedName.plain(SwiftName.readable(className))[...]
    if let dot = name.firstIndex(of: "."), isIdentifier(name[..<dot]) {
      let rest = name[name.index(after: dot)...]
      if !rest.isEmpty { name = rest }
    }
    if let stripPrefix, !stripPrefix.isEmpty, name.hasPrefix(stripPrefix),
      let next = name.dropFirst(stripPrefix.count).first, next.isUppercase
    {
      name = name.dropFirst(stripPrefix.count)
    }
    return String(name)
  }

  /// The Swift module that the name of a class begins with; nil where it begins with none.
  package static func module(_ className: String) -> String? {
    let name = SwiftName.readable(className)
    guard let dot = name.firstIndex(of: "."), isIdentifier(name[..<dot]),
      name.index(after: dot) < name.endIndex
    else { return nil }
    return String(name[..<dot])
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

/// The names that classes and keys have got: a store keeps them, so that later runs use the same.
package struct AssignedNames: Sendable, Equatable, Codable {
  /// The names of a class.
  package struct Names: Sendable, Equatable, Codable {
    /// The name of its entity.
    package var entity: String
    /// The names of its properties, by the archived keys.
    package var properties: [String: String]

    package init(entity: String, properties: [String: String]) {
      (self.entity, self.properties) = (entity, properties)
    }
  }

  /// The names, by the archived classes.
  package var classes: [String: Names]

  package init(classes: [String: Names] = [:]) { self.classes = classes }

  package init(from decoder: any Decoder) throws {
    classes = try decoder.singleValueContainer().decode([String: Names].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(classes)
  }

  /// Adds the names of a later run; those that are known stay.
  package mutating func add(_ later: AssignedNames) {
    for (className, names) in later.classes {
      guard var known = classes[className] else {
        classes[className] = names
        continue
      }
      known.properties.merge(names.properties) { first, _ in first }
      classes[className] = known
    }
  }
}
