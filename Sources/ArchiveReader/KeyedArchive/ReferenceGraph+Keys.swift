extension ArchiveInspection.ReferenceGraph {
  /// The role of a dictionary in an archive, by its keys.
  struct Keys {
    /// The position of `$class` among the keys; nil if the dictionary is no object.
    var classPosition: Int?
    /// True if `$class` occurs more than once: the archive is damaged.
    var repeatsClass = false
    /// True if the keys are those of a class record.
    var isClassRecord: Bool
  }
}

extension ArchiveInspection.ReferenceGraph {
  /// Tells what dictionaries are by their keys.
  ///
  /// The runs of keys of like objects are equal byte for byte. Those met last are remembered, a
  /// fixed number of them, so that strings are made and compared only now and then.
  struct KeysCache {
    private var known: [(run: Node.Run, keys: Keys)?] = Array(repeating: nil, count: 64)

    /// The role that the keys of a dictionary give it.
    mutating func keys(of run: Node.Run, in table: NodeTable) -> Keys {
      guard run.count > 0 else { return Keys(classPosition: nil, isClassRecord: false) }
      let ends = table[run, 0].index &* 5 &+ table[run, run.count - 1].index
      let slot = (ends &+ run.count) & (known.count - 1)
      if let (other, keys) = known[slot], table.view(run).hasSameBytes(as: table.view(other)) {
        return keys
      }
      let names = (0..<run.count).lazy.map { table.string(at: table[run, $0]) }
      let position = names.firstIndex(of: "$class")
      let keys = Keys(
        classPosition: position,
        repeatsClass: position.map { names.dropFirst($0 + 1).contains("$class") } ?? false,
        isClassRecord: position == nil && names.contains("$classname"))
      known[slot] = (run, keys)
      return keys
    }
  }
}
