/// The dictionaries of a run that are records: objects of a class of their own with the same keys.
///
/// All others are pairs.
/// What is decided is decided for a path. The rule is that of `fits`; Documentation/layouts.md
/// explains it.
package struct RecordRules: Sendable, Equatable {
  /// Who decides.
  package struct Policy: Sendable, Equatable {
    /// The treatment of dictionaries under paths that are not named.
    package enum Default: Sendable {
      /// Dictionaries whose keys are fields are records, as far as the dictionaries show.
      case automatic
      /// All are records that can be, or none is.
      case records, pairs
    }

    package var others: Default
    /// The paths of records and of pairs, as `RecordPath.text` has them.
    package var records: Set<String>
    package var pairs: Set<String>

    package init(
      _ others: Default, records: some Sequence<String> = [], pairs: some Sequence<String> = []
    ) {
      self.others = others
      self.records = Set(records.map(RecordPath.text))
      self.pairs = Set(pairs.map(RecordPath.text))
    }

    /// True if there can be records.
    package var allowsRecords: Bool { others != .pairs || !records.isEmpty }
  }

  /// The most keys of a record, and the most bytes of a key.
  package static let maxKeys = 500
  static let maxKeyLength = 128
  /// The most dictionaries inside of each other that are told apart.
  package static let maxDepth = 12
  /// The most paths that have records.
  static let maxPaths = 250

  /// The class of the records under each path, as `RecordPath.text` has it.
  package private(set) var classNames: [String: String] = [:]
  /// The other paths that were decided on.
  package private(set) var pairs: Set<String> = []
  /// The classes, in the order of their paths.
  private(set) var classes: [ClassRecord] = []
  private var classIndices: [String: Int] = [:]

  /// There are no records.
  package init() {}

  /// Creates the rules that were decided before.
  ///
  /// - Parameters:
  ///   - classNames: The classes of records, by the paths.
  ///   - pairs: The paths of other dictionaries.
  package init(classNames: [String: String], pairs: Set<String>) {
    let sorted = classNames.map { (RecordPath.text($0.key), $0.value) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    for (path, name) in sorted.prefix(Self.maxPaths) where self.classNames[path] == nil {
      self.classNames[path] = name
      classIndices[path] = classes.count
      let superclasses = path == RecordPath.topLevel.text ? [] : ["NSDictionary", "NSObject"]
      let archived = ArchivedName.text(name)
      classes.append(ClassRecord(name: archived, hierarchy: [archived] + superclasses, hints: []))
    }
    self.pairs = Set(pairs.map(RecordPath.text))
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - evidence: The known dictionaries of all sources.
  ///   - policy: Who decides.
  ///   - earlier: The rules that were decided before, which stay.
  package init(
    _ evidence: RecordEvidence, _ policy: Policy, earlier: RecordRules = RecordRules()
  ) {
    var decision = Decision(evidence, policy, earlier, allowsSingle: true)
    if decision.records.count > Self.maxPaths {
      decision = Decision(evidence, policy, earlier, allowsSingle: false)
    }
    if decision.records.count > Self.maxPaths { decision.giveUp() }
    self.init(classNames: decision.names(), pairs: decision.pairs)
  }

  package var isEmpty: Bool { classes.isEmpty }

  /// The index of the class that records under a path have; nil if they are pairs.
  func classIndex(of path: RecordPath) -> Int? { classIndices[path.text] }

  /// True if a dictionary is a record wherever there are some: not only the values of top-level
  /// keys.
  var hasDictionaries: Bool { classes.count > (classIndex(of: .topLevel) == nil ? 0 : 1) }
}

extension RecordEvidence.Node {
  /// True if the dictionaries under a path are records, since their keys are fields rather than
  /// data.
  ///
  /// Several are if they share their keys: each has a quarter of all keys on average, and half of
  /// the values stand under keys that several dictionaries have. A single one is if its keys are
  /// names and its values of several kinds.
  func showsFields(allowsSingle: Bool) -> Bool {
    let count = dictionaries - emptyDictionaries
    guard canBeRecords, count > 0 else { return false }
    guard count > 1 else {
      return allowsSingle && kinds.count > 1 && keys.keys.allSatisfy(Self.isName)
    }
    let shared = keys.values.filter { $0 > 1 }.reduce(0, +)
    return 4 * values >= count * keys.count && 2 * shared >= values
  }

  /// True if there are dictionaries under the path that can all be records.
  var canBeRecords: Bool { dictionaries > 0 && unfitDictionaries == 0 && !hasTooManyKeys }

  /// True if a key looks like the name of a field.
  private static func isName(_ key: String) -> Bool {
    key.count <= 64
      && key.first.map { $0.isLetter || $0 == "_" || $0 == "$" } == true
      && key.allSatisfy { $0.isLetter || $0.isNumber || "_-.$ ".contains($0) }
  }
}

extension RecordRules {
  /// Decides path by path, from the top down: what stands inside of dictionaries of pairs has one
  /// path, whatever the keys.
  struct Decision {
    private(set) var records: [RecordPath] = []
    private(set) var pairs: Set<String> = []
    private let policy: RecordRules.Policy
    private let earlier: RecordRules
    private let allowsSingle: Bool
    private let takenNames: Set<String>

    init(
      _ evidence: RecordEvidence, _ policy: RecordRules.Policy, _ earlier: RecordRules,
      allowsSingle: Bool
    ) {
      (self.policy, self.earlier, self.allowsSingle) = (policy, earlier, allowsSingle)
      takenNames = Set(
        evidence.classNames.map { EntityName.plain($0, stripPrefix: nil).lowercased() })
      if decidesForDocuments { records.append(.topLevel) }
      for (key, node) in evidence.roots { decide(node, RecordPath.topLevel.appending(key)) }
      for (name, nodes) in evidence.classes {
        let path = RecordPath(components: [ArchivedName.plain(SwiftName.readable(name))])
        for (key, node) in nodes { decide(node, path.appending(key)) }
      }
      pairs.formUnion(earlier.pairs)
    }

    /// Leaves all dictionaries as pairs but those that were decided on.
    mutating func giveUp() {
      let given = records.filter { $0 != .topLevel && earlier.classNames[$0.text] == nil }
      records.removeAll(where: given.contains)
      pairs.formUnion(given.map(\.text))
    }

    /// True if the values of top-level keys together are a record.
    private var decidesForDocuments: Bool {
      let path = RecordPath.topLevel.text
      if policy.pairs.contains(path) { return false }
      return policy.others != .pairs || policy.records.contains(path)
    }

    /// Recursive: paths are no longer than `RecordRules.maxDepth`.
    private mutating func decide(_ node: RecordEvidence.Node, _ path: RecordPath) {
      var node = node
      if node.dictionaries > 0 {
        if isRecord(node, path) {
          records.append(path)
        } else {
          pairs.insert(path.text)
          node.mergeChildren()
        }
      }
      for (key, child) in node.children { decide(child, path.appending(key)) }
    }

    private func isRecord(_ node: RecordEvidence.Node, _ path: RecordPath) -> Bool {
      let text = path.text
      if earlier.classNames[text] != nil { return true }
      if earlier.pairs.contains(text) { return false }
      if policy.pairs.contains(text) { return false }
      if policy.records.contains(text) { return true }
      return switch policy.others {
      case .automatic: node.showsFields(allowsSingle: allowsSingle)
      case .records: node.canBeRecords
      case .pairs: false
      }
    }

    /// The names of the classes, by the texts of the paths: all different, and none that of another
    /// class.
    func names() -> [String: String] {
      var names = earlier.classNames
      var taken = takenNames.union(names.values.map { $0.lowercased() })
      // It has its name whether there are documents or not.
      let new = (records + [.topLevel]).map { (text: $0.text, name: $0.className) }
        .filter { names[$0.text] == nil }
        .sorted {
          let (one, other) = (ArchivedName.plain($0.text), ArchivedName.plain($1.text))
          return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
      for (text, wanted) in new where names[text] == nil {
        var name = wanted
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
          name = "\(wanted)_\(number)"
          number += 1
        }
        names[text] = name
      }
      if !records.contains(.topLevel), earlier.classNames[RecordPath.topLevel.text] == nil {
        names[RecordPath.topLevel.text] = nil
      }
      return names
    }
  }
}

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
