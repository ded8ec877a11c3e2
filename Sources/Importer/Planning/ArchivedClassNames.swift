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

extension PlanCompiler {
  /// The classes that a mapping declares to be others by now.
  struct ClassRenamings {
    private var targets: [String: String] = [:]
    /// The first names of those that lead back to themselves.
    private(set) var loops: [Marked<String>] = []

    /// Creates a table without renamings.
    init() {}

    /// Creates a table of what a mapping says.
    init(_ entries: [ClassMapping]) {
      for entry in entries {
        if case .translated(let name) = entry.kind { targets[entry.className.value] = name }
      }
      var looping: Set<String> = []
      for entry in entries where targets[entry.className.value] != nil {
        let start = entry.className.value
        let way = way(from: start)
        guard way.comesAgain == start, !looping.contains(start) else { continue }
        looping.formUnion(way.names)
        loops.append(entry.className)
      }
    }

    /// The name that a class has by now, the last of several; nil if nothing is said of it.
    func last(of name: String) -> String? {
      let way = way(from: name)
      return way.names.count > 1 ? way.names.last : nil
    }

    /// All names that a class has had, until one comes again.
    private func way(from name: String) -> (names: [String], comesAgain: String?) {
      var names = [name]
      var seen: Set = [name]
      var next = target(of: name)
      while let name = next {
        guard seen.insert(name).inserted else { return (names, name) }
        names.append(name)
        next = target(of: name)
      }
      return (names, nil)
    }

    private func target(of name: String) -> String? {
      targets[name] ?? SwiftName.plain(name).flatMap { targets[$0] }
    }
  }
}

/// The mapping with names of classes and keys as the archives' readers have them: see
/// `ArchivedName`. Names of entities and properties stay as they are.
extension Mapping {
  var withArchivedNames: Mapping {
    var mapping = self
    mapping.classes = classes.map(\.withArchivedNames)
    mapping.entities = entities.map(\.withArchivedNames)
    for pass in passes.indices {
      mapping.passes[pass].entities = passes[pass].entities.map(\.withArchivedNames)
    }
    return mapping
  }
}

extension ClassMapping {
  fileprivate var withArchivedNames: ClassMapping {
    var mapping = self
    mapping.className = className.asArchived
    switch kind {
    case .entity, .ignored: break
    case .value(let key): mapping.kind = .value(key: ArchivedName.text(key))
    case .translated(let name): mapping.kind = .translated(to: ArchivedName.text(name))
    }
    return mapping
  }
}

extension EntityMapping {
  fileprivate var withArchivedNames: EntityMapping {
    var mapping = self
    mapping.sources = sources.map(\.asArchived)
    mapping.unread = unread.map(\.asArchived)
    for index in attributes.indices {
      mapping.attributes[index].source = attributes[index].source.asArchived
    }
    for index in relationships.indices {
      mapping.relationships[index].source = relationships[index].source.asArchived
    }
    for index in collections.indices {
      let key = collections[index].key.asArchived
      mapping.collections[index].key = key
      mapping.collections[index].form?.key = key.value
    }
    return mapping
  }
}

extension Marked<String> {
  fileprivate var asArchived: Marked<String> { Marked(ArchivedName.text(value), at: mark) }
}

extension Marked<ValueSource> {
  /// The source with archived names; an expression looks up itself what it reads.
  fileprivate var asArchived: Marked<ValueSource> {
    guard case .keyPath(let path) = value else { return self }
    return Marked(.keyPath(path.map(ArchivedName.text)), at: mark)
  }
}
