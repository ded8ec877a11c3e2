import ArchiveReader
import DataModel
import Support

/// Writes one draft.
struct MappingDrafter {
  let model: Model
  let options: MappingDraft.Options
  let evidence: MappingDraft.Evidence
  let profile: SchemaProfile
  /// The superclasses that could be parents of entities that have none.
  let superclasses: [SharedSuperclasses.Group]

  init(_ profile: SchemaProfile, _ model: Model, _ options: MappingDraft.Options) {
    self.profile = profile
    self.model = model
    self.options = options
    evidence = MappingDraft.Evidence(profile, model)
    superclasses =
      options.isDeclared || model.entities.contains { $0.parent != nil }
      ? [] : Self.superclasses(profile, model)
  }

  private static func superclasses(
    _ profile: SchemaProfile, _ model: Model
  ) -> [SharedSuperclasses.Group] {
    let hierarchies = Dictionary(
      profile.classes.map { ($0.name, $0.hierarchy) }, uniquingKeysWith: { one, _ in one })
    let classes = model.entities.flatMap { entity in
      entity.archivedClasses.map {
        SharedSuperclasses.ArchivedClass(
          name: $0, superclasses: Array((hierarchies[$0] ?? []).dropFirst()), entity: entity.name)
      }
    }
    var names = NameAllocator(reserved: model.entities.map(\.name))
    return SharedSuperclasses(classes).groups.filter {
      names.allocate($0.name).hasSameBytes(as: $0.name)
    }
  }

  func text() -> String {
    [head(), settings(), classes(), entities()].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: What comes first

  private func head() -> String {
    let names = options.archiveNames
    let noun = options.isDeclared ? "store" : "archive"
    let shown = names.prefix(5) + (names.count > 5 ? ["\(names.count - 5) more"] : [])
    let archives =
      names.isEmpty
      ? "\(noun)s" : "\(Words.count(names.count, noun)): \(shown.joined(separator: ", "))"
    let meaning =
      options.model.map { "It fills the entities of \($0)." }
      ?? "Unchanged, it yields the same store as a run without it."
    return MappingDraft.YAML.comment(
      "How archived objects become rows of a store: a mapping for archive-convert.")
      + "#\n"
      + MappingDraft.YAML.comment(
        options.isDeclared
          ? "Drafted from the model of \(archives)." : "Drafted from \(archives).")
      + MappingDraft.YAML.comment("\(meaning) Edit it as needed, then run")
      + "#\n"
      + MappingDraft.YAML.line(
        "  archive-convert INPUT... --mapping \(Self.shellWord(options.fileName)) -o STORE")
      + (options.isDeclared
        ? ""
        : "#\n"
          + MappingDraft.YAML.comment(
            "The comments say what was found: \"in 3 of 4 objects\" means that 3 of them have the key."
          ))
  }

  /// A name as a shell takes it.
  private static func shellWord(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? name : "'\(name.replacing("'", with: "'\\''"))'"
  }

  private func settings() -> String {
    let settings = [
      ("model", options.model), ("modelDigest", options.modelDigest),
      ("stripPrefix", options.nameRules.stripPrefix),
    ]
    var text = settings.map { key, value in
      guard let value, !value.isEmpty else { return "" }
      return MappingDraft.YAML.entry(key, MappingDraft.YAML.scalar(value), indentation: 0)
    }.joined()
    if options.nameRules.isPlain {
      text += MappingDraft.YAML.entry("plainNames", "true", indentation: 0)
    }
    if !options.seeThrough.isEmpty {
      text += MappingDraft.YAML.entry("seeThrough", indentation: 0)
      for name in options.seeThrough {
        text += MappingDraft.YAML.item(MappingDraft.YAML.scalar(name), indentation: 1)
      }
    }
    guard !options.records.isEmpty else { return text }
    return text
      + MappingDraft.YAML.comment(
        "Dictionaries at these paths are rows of an entity with their keys; others are pairs.")
      + MappingDraft.YAML.entry("records", indentation: 0)
      + options.records.map { MappingDraft.YAML.item(MappingDraft.YAML.scalar($0), indentation: 1) }
      .joined()
  }

  private func classes() -> String {
    let entries = model.entities.flatMap { entity in
      entity.archivedClasses.map {
        MappingDraft.YAML.entry(
          ArchivedName.plain($0), MappingDraft.YAML.scalar(entity.name), indentation: 1)
      }
    }
    let lists = options.lists.sorted { $0.key.precedesInBytes($1.key) }.map { name, positions in
      let list = positions.sorted().map(String.init).joined(separator: ", ")
      return MappingDraft.YAML.entry(name, "{lists: [\(list)]}", indentation: 1)
    }
    let all = (entries + lists).joined()
    var text = all.isEmpty ? "classes: {}\n" : "classes:\n\(all)"
    // An entity of a store is one without objects, too.
    let others = profile.classes.filter { $0.count == 0 && !$0.isEntity }.map(\.name)
    if !others.isEmpty {
      let names = others.map(ArchivedName.plain).sorted { $0.precedesInBytes($1) }.joined(
        separator: ", ")
      text += MappingDraft.YAML.comment(
        "Read as values and collections, which need no entity: \(names).", indentation: 1)
    }
    return text
  }
}
