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
