extension KeyedArchive.Salvager {
  /// Follows the references of a damaged archive: which lead nowhere, and which objects nothing
  /// leads to.
  struct Walk {
    /// The references that lead nowhere and the damaged values inside of objects.
    private(set) var losses: [ArchiveError] = []
    private let archive: KeyedArchive
    private let salvage: KeyedArchive.Salvage
    private let limits: ReadingLimits
    /// For each entry, the entries that it refers to; class records left out.
    private var targets: [[UInt32]]
    /// The entries that are objects or collections, which can be read by themselves.
    private var isObject: [Bool]
    private var roots: [UInt32] = []
    /// The number of values that may still be read: a file can share containers so that they
    /// multiply.
    private var budget: Int

    init(
      _ archive: KeyedArchive, _ salvage: KeyedArchive.Salvage, _ limits: ReadingLimits
    ) throws(ArchiveError) {
      self.archive = archive
      self.salvage = salvage
      self.limits = limits
      targets = Array(repeating: [], count: archive.objectCount)
      isObject = Array(repeating: false, count: archive.objectCount)
      budget = 16 * archive.table.count + 1_000_000
      for uid in 0..<archive.objectCount where !salvage.lostEntries.contains(uid) {
        try addEntry(uid)
      }
      for entry in archive.topLevel {
        roots += try references(in: entry.node, at: .topLevelKey(entry.key))
      }
    }

    private mutating func addEntry(_ uid: Int) throws(ArchiveError) {
      let table = archive.table
      let node = table[archive.objects, uid]
      guard case .dictionary(let keys, let values) = table.value(of: node) else {
        targets[uid] = try references(in: node, at: .object(uid, key: nil))
        return
      }
      let names = (0..<keys.count).map { table.name(at: table[keys, $0]) ?? "" }
      // A class record holds names.
      if names.contains("$classname"), !names.contains("$class") { return }
      isObject[uid] = names.contains("$class")
      for (position, name) in names.enumerated() where name != "$class" {
        targets[uid] += try references(
          in: table[values, position], at: .object(uid, key: name))
      }
    }

    /// The references inside of a value; notes those that lead nowhere.
    private mutating func references(
      in root: Node, at position: ArchiveError.Position
    ) throws(ArchiveError) -> [UInt32] {
      let table = archive.table
      var found: [UInt32] = []
      var open = [(node: root, depth: 0)]
      while let (node, depth) = open.popLast() {
        budget -= 1
        guard budget > 0 else { throw limits.exceeded(.expansion) }
        if var damage = archive.propertyList.damagedNodes[node.index] {
          damage.position = position
          losses.append(damage)
          continue
        }
        let elements: Node.Run
        switch table.value(of: node) {
        case .uid(let uid):
          if uid < archive.objectCount {
            found.append(UInt32(truncatingIfNeeded: uid))
          } else {
            losses.append(ArchiveError(.danglingReference, at: position, name: "\(uid)"))
          }
          continue
        case .array(let run), .set(let run): elements = run
        case .dictionary(_, let values): elements = values
        default: continue
        }
        guard depth < limits.depth else { throw limits.exceeded(.depth) }
        for place in 0..<elements.count { open.append((table[elements, place], depth + 1)) }
      }
      return found
    }

    /// The fewest objects from which all are reached that the top-level keys do not lead to.
    func strays() -> [Int] {
      var isReached = [Bool](repeating: false, count: targets.count)
      func reach(_ start: [UInt32]) {
        var open = start
        while let uid = open.popLast().map(Int.init) {
          guard !isReached[uid] else { continue }
          isReached[uid] = true
          open += targets[uid]
        }
      }
      reach(roots)
      // Those that no other one holds come first; what is left then are cycles.
      var isHeld = [Bool](repeating: false, count: targets.count)
      for uid in targets.indices where !isReached[uid] {
        for target in targets[uid] where Int(target) != uid { isHeld[Int(target)] = true }
      }
      var strays: [Int] = []
      for onlyUnheld in [true, false] {
        for uid in targets.indices where isObject[uid] && !isReached[uid] {
          if onlyUnheld && isHeld[uid] { continue }
          strays.append(uid)
          reach([UInt32(truncatingIfNeeded: uid)])
        }
      }
      return strays
    }
  }
}
