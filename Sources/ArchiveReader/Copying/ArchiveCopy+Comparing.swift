import ArchiveWriter

extension ArchiveCopy {
  /// Compares an archive with what it is to be, object by object.
  ///
  /// - Parameters:
  ///   - other: The archive.
  ///   - most: The number of objects that are listed.
  /// - Returns: The UIDs of those that are not the same, nil for what is none, and their number.
  /// - Complexity: Linear in the number of values.
  package func differences(
    from other: KeyedArchive, most: Int = 16
  ) -> (objects: [Int?], count: Int) {
    var (objects, count): ([Int?], Int) = ([], 0)
    func note(_ uid: Int?) {
      count += 1
      if objects.count < most { objects.append(uid) }
    }
    var pending: [(Part, Node)] = []
    let topLevel = topLevel
    let isTopSame =
      topLevel.count == other.topLevel.count
      && zip(topLevel, other.topLevel).allSatisfy { entry, found in
        name(entry.key) == ArchivedName.plain(found.key)
          && isSame(entry.value, found.node, other, &pending)
      }
    if !isTopSame || objectCount != other.objectCount { note(nil) }
    for uid in 0..<min(objectCount, other.objectCount)
    where !isSame(self[uid], other.table[other.objects, uid], other, &pending) {
      note(uid)
    }
    return (objects, count)
  }

  private func isSame(
    _ part: Part, _ node: Node, _ other: KeyedArchive, _ pending: inout [(Part, Node)]
  ) -> Bool {
    pending.removeAll(keepingCapacity: true)
    pending.append((part, node))
    // A part that many share is compared once for each.
    var budget = ExpansionBudget.product(archive.propertyList.byteCount + objectCount, 16)
    while let (part, node) = pending.popLast() {
      budget -= 1
      guard budget >= 0 else { return false }
      let value = other.table.value(of: node)
      if let entries = entries(of: part) {
        guard case .dictionary(let keys, let values) = value, keys.count == entries.count else {
          return false
        }
        for (index, entry) in entries.enumerated() {
          guard name(entry.key) == other.table.name(at: other.table[keys, index]) else {
            return false
          }
          pending.append((entry.value, other.table[values, index]))
        }
      } else if let elements = elements(of: part) {
        guard case .array(let run) = value, run.count == elements.count else { return false }
        for (index, element) in elements.enumerated() {
          pending.append((element, other.table[run, index]))
        }
      } else if !isSame(part, value, other, &pending) {
        return false
      }
    }
    return true
  }

  /// Compares values that are neither dictionaries nor arrays.
  private func isSame(
    _ part: Part, _ value: Node.Value, _ other: KeyedArchive, _ pending: inout [(Part, Node)]
  ) -> Bool {
    let otherCopy = ArchiveCopy(other)
    switch part {
    case .node(let node):
      switch (archive.table.value(of: node), value) {
      case (.set(let one), .set(let run)):
        guard one.count == run.count else { return false }
        for index in 0..<run.count {
          pending.append((.node(archive.table[one, index]), other.table[run, index]))
        }
        return true
      case (.wideInteger(let one), .wideInteger(let two)):
        return archive.table.wideInteger(at: one) == other.table.wideInteger(at: two)
      case (.real(let one), .real(let two)):
        return one.bitPattern == two.bitPattern || one.isNaN && two.isNaN
      case (let one, _): return isSame(leaf(one), value, otherCopy)
      }
    case .leaf(let one): return isSame(one, value, otherCopy)
    case .array, .dictionary, .object: return false
    }
  }

  private func isSame(
    _ leaf: PropertyListValue, _ value: Node.Value, _ other: ArchiveCopy
  ) -> Bool {
    switch (leaf, value) {
    case (.unsigned(let one), .wideInteger(let offset)):
      other.archive.table.wideInteger(at: offset) == Int128(one)
    case (_, .array), (_, .set), (_, .dictionary), (_, .wideInteger): false
    case (.string(let one), .text(let text)):
      other.archive.table.exactString(text).map { $0.utf8.elementsEqual(one.utf8) } ?? false
    case (.real(let one), .real(let two)):
      one.bitPattern == two.bitPattern || one.isNaN && two.isNaN
    default: leaf == other.leaf(value)
    }
  }
}
