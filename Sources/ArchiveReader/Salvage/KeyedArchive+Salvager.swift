extension KeyedArchive {
  /// Finds out what of a damaged archive can still be read.
  ///
  /// It reads every entry of `$objects` as an import would. An entry that cannot be read is lost,
  /// and then whatever depends on it is looked at again, until all that is left can be read. Memory
  /// and time are linear in the archive, for each round.
  struct Salvager {
    private var archive: KeyedArchive
    private let limits: ReadingLimits
    private var salvage: Salvage
    private var reader: ObjectReader
    /// The number of values that may still be read: a file can share containers so that they
    /// multiply.
    private var budget: Int

    /// Damage begets damage no deeper than that: an object, its class record, the record's parts.
    private static let maxRounds = 16

    /// Reads a damaged archive.
    static func salvage(
      _ archive: KeyedArchive, losses: [ArchiveError], limits: ReadingLimits
    ) throws(ArchiveError) -> KeyedArchive {
      var salvager = Salvager(archive, losses, limits)
      for _ in 0..<maxRounds {
        let before = salvager.salvage.lostEntries.count
        try salvager.examine()
        if salvager.salvage.lostEntries.count == before { break }
        salvager.begin()
      }
      let walk = try Walk(archive, salvager.salvage, limits)
      var salvage = salvager.salvage
      salvage.losses += walk.losses
      salvage.losses.sort { $0.entry < $1.entry }
      return salvage.isWhole
        ? archive : KeyedArchive(archive, salvage: salvage, strays: walk.strays())
    }

    private init(_ archive: KeyedArchive, _ losses: [ArchiveError], _ limits: ReadingLimits) {
      salvage = Salvage()
      salvage.losses = losses
      self.archive = KeyedArchive(archive, salvage: salvage)
      self.limits = limits
      reader = ObjectReader(self.archive, limits: limits)
      budget = 16 * archive.table.count + 1_000_000
    }

    /// Takes what was found lost as such.
    private mutating func begin() {
      archive = KeyedArchive(archive, salvage: salvage)
      reader = ObjectReader(archive, limits: limits)
      budget = 16 * archive.table.count + 1_000_000
    }

    // MARK: Entries

    private mutating func examine() throws(ArchiveError) {
      for uid in 0..<archive.objectCount where !salvage.lostEntries.contains(uid) {
        let node = archive.table[archive.objects, uid]
        if let damage = archive.propertyList.damagedNodes[node.index] {
          lose(uid, damage)
          continue
        }
        do throws(ArchiveError) {
          try examine(uid)
        } catch {
          guard error.code != .expansion else { throw error }
          // If another entry is to blame, this one is read again in the next round, without it.
          let isKnown = error.uid.map { archive.salvage?.lostEntries.contains($0) == true } ?? true
          lose(isKnown ? uid : error.uid ?? uid, error)
        }
      }
    }

    /// Reads an entry as an import would.
    private mutating func examine(_ uid: Int) throws(ArchiveError) {
      switch try reader.value(ofObject: uid) {
      case .object(uid, let id):
        let object = try reader.object(uid)
        // A date without its seconds is none; read as an object, it would make all dates objects.
        if reader.classes[id.index].known != nil, let damage = damage(in: object) { throw damage }
        for position in 0..<object.keyCount {
          try examine(try reader.value(of: object, at: position), depth: 0)
        }
      case let value:
        try examine(value, depth: 0)
      }
    }

    /// Why a part of an object is lost; nil if none is.
    private func damage(in object: GraphObject) -> ArchiveError? {
      for position in 0..<object.keyCount {
        let node = reader.node(of: object, at: position)
        let place = ArchiveError.Position.object(
          object.uid, key: reader.shapes[object.shape].keys[position])
        if var damage = archive.propertyList.damagedNodes[node.index] {
          damage.position = place
          return damage
        }
        guard let uid = archive.table.uid(of: node),
          uid >= archive.objectCount || salvage.lostEntries.contains(uid)
        else { continue }
        return ArchiveError(.danglingReference, at: place, name: "\(uid)")
      }
      return nil
    }

    private mutating func examine(_ value: GraphValue, depth: Int) throws(ArchiveError) {
      guard case .collection(let id, let kind) = value else { return }
      // Other entries are examined by themselves.
      if case .object = id, depth > 0 { return }
      guard depth < limits.depth else { throw limits.exceeded(.depth) }
      let elements = try reader.elements(of: id, kind)
      budget -= elements.count
      guard budget > 0 else { throw limits.exceeded(.expansion) }
      for position in 0..<elements.count {
        if kind.isKeyed {
          try examine(try reader.key(of: elements, at: position), depth: depth + 1)
        }
        try examine(try reader.value(of: elements, at: position), depth: depth + 1)
      }
    }

    private mutating func lose(_ uid: Int, _ reason: ArchiveError) {
      guard (0..<archive.objectCount).contains(uid), salvage.lostEntries.insert(uid).inserted else {
        return
      }
      var loss = reason
      if loss.uid != uid { loss.position = .object(uid, key: nil) }
      salvage.losses.append(loss)
    }
  }
}

extension ArchiveError {
  /// The entry of `$objects` that the error is about; nil for the file itself.
  var uid: Int? {
    if case .object(let uid, _) = position { uid } else { nil }
  }

  /// The rank of the error in a list: those of the file come first.
  fileprivate var entry: Int { uid ?? -1 }
}
