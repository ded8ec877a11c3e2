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
