import ArchiveReader

extension PlanCompiler {
  /// Finds the archived classes that a mapping, a model or a hook means by a name.
  ///
  /// A class answers to its archived name and to the one that it has in Swift. Where a mapping says
  /// that it is another class by now, it answers to that one's name, or to that which this one has
  /// by now. Where nothing is said of any of these, it answers to the first of its hints
  /// (`$classhints`) of which something is said.
  struct ArchivedClassNames {
    /// For each archived class that does not answer to its own name, the one that it answers to.
    private var spokenNames: [String: String] = [:]
    private var archivedNames: [String: [String]] = [:]
    private let known: Set<String>
    /// The archived classes with a name of their own in Swift, by that name.
    private var mangledNames: [String: [String]] = [:]
    /// The archived classes that are others by now.
    private(set) var translated: Set<String> = []

    /// Creates a table of names.
    ///
    /// - Parameters:
    ///   - profile: The archived classes.
    ///   - translations: The classes that are others by now.
    ///   - isSpokenOf: Whether something is said of a class of a name.
    init(
      _ profile: SchemaProfile, translations: ClassRenamings, isSpokenOf: (_ name: String) -> Bool
    ) {
      known = Set(profile.classes.lazy.filter { $0.count > 0 }.map(\.name))
      for found in profile.classes {
        let plain = SwiftName.readable(found.name)
        if plain != found.name, found.count > 0 {
          mangledNames[plain, default: []].append(found.name)
        }
        let translation = translations.last(of: found.name)
        if translation != nil { translated.insert(found.name) }
        let names = translation.map { [$0] } ?? [found.name, plain]
        let hints = found.hints.flatMap { [$0, SwiftName.readable($0)] }
        let name = (names + hints).first(where: isSpokenOf) ?? names[0]
        guard name != found.name else { continue }
        spokenNames[found.name] = name
        archivedNames[name, default: []].append(found.name)
      }
    }

    /// The name that a class answers to.
    func spoken(_ archived: String) -> String { spokenNames[archived] ?? archived }

    /// The archived classes that answer to a name; the name itself if there are none.
    func archived(_ name: String) -> [String] {
      guard let others = archivedNames[name] else { return [name] }
      return known.contains(name) && spokenNames[name] == nil ? [name] + others : others
    }

    /// The archived names of the classes that have a name in Swift, if none of them answers to it.
    func deaf(to plain: String) -> [String] {
      guard !known.contains(plain), archivedNames[plain] == nil else { return [] }
      return mangledNames[plain] ?? []
    }
  }
}

extension PlanCompiler {
  /// Finds out which class each name means that a mapping or a hook has.
  mutating func findNames() {
    let renamings = ClassRenamings(mapping.classes)
    for entry in renamings.loops {
      note(.renamingCycle, entry.mark, entry.value)
    }
    var said: Set<String> = []
    for entry in mapping.classes {
      if case .translated = entry.kind { continue }
      said.insert(entry.className.value)
    }
    let hooked = Set(
      extensions.hooks.flatMap { $0.archivedNames } + extensions.values.flatMap { $0.archivedNames }
    )
    said.formUnion(hooked)
    var entities: Set<String> = []
    for block in mapping.entities + mapping.passes.flatMap(\.entities) {
      if block.sources.isEmpty { entities.insert(ArchivedName.text(block.entity.value)) }
      said.formUnion(block.sources.map(\.value))
    }
    let rules = nameRules
    names = ArchivedClassNames(profile, translations: renamings) { name in
      said.contains(name)
        || Self.entityNames(of: name, rules).contains(where: entities.contains)
        || entityOfModel(name) != nil
    }
    checkNames(hooked)
  }

  /// Finds classes of which something is said under both of their names: only one is heard.
  private mutating func checkNames(_ hooked: Set<String>) {
    let blocks = mapping.entities + mapping.passes.flatMap(\.entities)
    let marked = mapping.classes.map(\.className) + blocks.flatMap(\.sources)
    let marks = Dictionary(marked.map { ($0.value, $0.mark) }, uniquingKeysWith: { one, _ in one })
    for plain in Set(marks.keys).union(hooked).sorted() {
      for name in names.deaf(to: plain) where marks[name] != nil || hooked.contains(name) {
        guard let mark = marks[plain] ?? marks[name] else { continue }
        note(.twoNames, mark, plain, expected: "'\(name)'")
      }
    }
  }

  /// The names that the entity of a class may have, the likeliest first: as `ArchivedName` has
  /// them, so that classes whose names only look the same have different ones.
  static func entityNames(of className: String, _ rules: NameRules) -> [String] {
    let plain = EntityName.plain(className, stripPrefix: nil)
    return [className] + [plain, rules.entity(className)].uniqued().map(ArchivedName.text)
  }

  /// The entity of the given model that has the name of a class.
  func entityOfModel(_ className: String) -> String? {
    given?.entityName(ofClass: className, nameRules)
  }
}

extension Model {
  /// The entity that has the name of an archived class.
  package func entityName(ofClass className: String, _ rules: NameRules) -> String? {
    let names = PlanCompiler.entityNames(of: className, rules)
    for name in names {
      if let found = entities.first(where: { ArchivedName.text($0.name) == name }) {
        return found.name
      }
    }
    return entities.first { entity in
      entity.renamingIdentifier.map { names.contains(ArchivedName.text($0)) } == true
        || entity.className.map(names.contains) == true
    }?.name
  }
}
