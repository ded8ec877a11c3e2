import Foundation

extension ObjectReader {
  /// The value of an object whose `GraphValue` is `.foundation`.
  ///
  /// - Parameter uid: The object's UID.
  /// - Returns: The value; nil if the object is not one whose parts are all values.
  /// - Throws: An error if a reference leads nowhere, or an entry is damaged.
  /// - Complexity: Linear in the size of the value, at most the limit on parts.
  package mutating func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    if let known = foundationCache.recent(uid) { return known.value }
    guard case .foundation(let uid, _) = try value(ofObject: uid, isChecked: false) else {
      return nil
    }
    foundationCache.overrun = nil
    let part = try unarchive(foundation: uid, levels: maxLevels)
    noteFailures()
    let value = part?.value.foundationValue
    foundationCache.note(uid, value, part?.weight ?? ValueWeight())
    return value
  }

  /// About how many bytes the JSON of a value takes, which is not made for it.
  ///
  /// - Parameter uid: The UID of an object whose `GraphValue` is `.foundation`.
  /// - Returns: The number; 0 if the object is not one whose parts are all values.
  /// - Throws: An error if a reference leads nowhere, or an entry is damaged.
  package mutating func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    _ = try foundationValue(uid)
    return foundationCache.recent(uid)?.weight.jsonByteCount ?? 0
  }

  /// Learns from a value with too many levels that those in it have too many as well.
  ///
  /// The first that has no level left is read by itself. If it fails, so do all between the two:
  /// each chain of values is followed once, not from each of its values again.
  private mutating func noteFailures() {
    while let (value, path) = foundationCache.overrun {
      foundationCache.overrun = nil
      do throws(ArchiveError) {
        guard try unarchive(value, levels: maxLevels) == nil else { return }
      } catch {
        // It is met again, and told, when it is the value's turn.
        return
      }
      for node in path { foundationCache.failures[node] = maxLevels }
    }
  }

  // MARK: Values in values

  /// A value that may hold others, with no more levels of values in values than given.
  private mutating func unarchive(
    _ node: Node?, levels: Int
  ) throws(ArchiveError) -> UnarchivedPart? {
    guard let node else { return nil }
    let value: GraphValue
    if let uid = table.uid(of: node) {
      value = try self.value(ofObject: uid, isChecked: false)
    } else {
      value = try self.value(of: node)
    }
    return try unarchive(value, levels: levels)
  }

  private mutating func unarchive(
    _ value: GraphValue, levels: Int
  ) throws(ArchiveError) -> UnarchivedPart? {
    switch value {
    case .object: return nil
    case .foundation where levels <= 0, .collection where levels <= 0:
      foundationCache.overrun = (value, [])
      return nil
    case .foundation(let uid, _):
      try spend(ValueWeight(parts: 1))
      return try unarchive(foundation: uid, levels: levels)
    case .collection(let id, let kind):
      try spend(ValueWeight(parts: 1))
      return try unarchive(collection: id, kind, levels: levels)
    default:
      let part = plain(value)
      try spend(part?.weight ?? ValueWeight(parts: 1))
      return part
    }
  }

  /// A plain value; nil where text cannot be kept exactly.
  private func plain(_ value: GraphValue) -> UnarchivedPart? {
    switch value {
    case .null: return UnarchivedPart(.null)
    case .bool(let value): return UnarchivedPart(.bool(value))
    case .integer(let value): return UnarchivedPart(.integer(value))
    case .wideInteger(let wide): return UnarchivedPart(.wideInteger(wide.value))
    case .real(let value): return UnarchivedPart(.real(value))
    case .date(let seconds):
      return UnarchivedPart(.date(ArchivedDate(secondsSinceReferenceDate: seconds)))
    case .text(let text):
      guard let string = text.exactString else { return nil }
      return UnarchivedPart(.text(string), bytes: text.bytes.count)
    case .data(let bytes):
      return UnarchivedPart(.data(bytes.data), bytes: bytes.count)
    case .uuid(let bytes):
      return UUID(bytes).map { UnarchivedPart(.uuid($0)) }
    case .decimal(let decimal): return UnarchivedPart(.decimal(decimal.text))
    case .url(let text): return UnarchivedPart(.url(text.string), bytes: text.bytes.count)
    case .relativeURL(let uid):
      return urlText(uid).map { UnarchivedPart(.url($0), bytes: $0.utf8.count) }
    case .nsNull: return UnarchivedPart(.nsNull)
    case .className(let id):
      return UnarchivedPart(.className(ArchivedName.plain(classes[id.index].name)))
    case .object, .collection, .foundation: return nil
    }
  }

  private mutating func unarchive(
    collection id: CollectionID, _ kind: CollectionKind, levels: Int
  ) throws(ArchiveError) -> UnarchivedPart? {
    let node =
      switch id {
      case .inline(let index): Node(index: index)
      case .object(let uid): try entry(uid)
      }
    return try remembered(node, levels: levels) { (reader, levels) throws(ArchiveError) in
      let elements = try reader.elements(of: id, kind)
      var weight = ValueWeight(parts: 1, levels: 1)
      var values: [UnarchivedValue] = []
      var pairs: [UnarchivedValue.Pair] = []
      var weights: [ValueWeight] = []
      for position in 0..<elements.count {
        guard
          let value = try reader.unarchive(
            reader.node(of: elements.values, at: position), levels: levels)
        else { return nil }
        weight.add(value.weight)
        if kind.isKeyed {
          guard
            let key = try reader.unarchive(
              reader.node(of: elements.keys, at: position), levels: levels)
          else { return nil }
          weight.add(key.weight)
          pairs.append(UnarchivedValue.Pair(key.value, value.value))
        } else {
          values.append(value.value)
          weights.append(value.weight)
        }
        guard reader.allows(weight) else { return nil }
      }
      let value: UnarchivedValue =
        switch kind {
        case .array: .array(values)
        case .set: .set(values)
        case .orderedSet: .orderedSet(values)
        case .countedSet: .countedSet(pairs)
        case .dictionary: .dictionary(pairs)
        }
      return UnarchivedPart(value, weight: weight, elementWeights: weights)
    }
  }

  private mutating func unarchive(
    foundation uid: Int, levels: Int
  ) throws(ArchiveError) -> UnarchivedPart? {
    try remembered(try entry(uid), levels: levels) { (reader, levels) throws(ArchiveError) in
      let object = try reader.object(uid)
      let record = reader.classes[object.class.index]
      guard case .foundation(let foundationClass) = record.known else { return nil }
      let keys = reader.shapes[object.shape].keys
      var weight = ValueWeight(parts: 1, levels: 1)
      var parts: [String: UnarchivedValue] = [:]
      var elementWeights: [String: [ValueWeight]] = [:]
      for (position, key) in keys.enumerated() where key != "$class" {
        let part: UnarchivedPart?
        do throws(ArchiveError) {
          part = try reader.unarchive(reader.node(of: object, at: position), levels: levels)
        } catch {
          throw error.placed(at: .object(uid, key: key))
        }
        guard let part else { return nil }
        weight.add(part.weight)
        guard reader.allows(weight) else { return nil }
        parts[key] = part.value
        if !part.elementWeights.isEmpty { elementWeights[key] = part.elementWeights }
      }
      // Keys are compared as they look, so two of them could have become one.
      guard parts.count + 1 == keys.count else { return nil }
      guard
        let read = foundationClass.value(
          className: record.name, parts: parts, elementWeights: elementWeights, weight: weight),
        reader.allows(read.weight)
      else { return nil }
      return UnarchivedPart(.foundation(read.value), weight: read.weight)
    }
  }

  // MARK: Limits

  /// The most levels of values in values: no more than the stack is sure to hold, whatever the
  /// limit on chains.
  private var maxLevels: Int { min(limits.chain, 64) }

  /// True if a value may weigh this much: as many parts as the limit says, and little more text and
  /// data than the file has.
  private func allows(_ weight: ValueWeight) -> Bool {
    let maxBytes = archive.propertyList.byteCount.addingReportingOverflow(1 << 20)
    return weight.parts <= limits.parts
      && weight.bytes <= (maxBytes.overflow ? .max : maxBytes.partialValue)
  }

  /// Reads a value that holds others, or remembers what came of it.
  ///
  /// A heavy value is read once and then shared. One that failed is read again only where it may
  /// have more levels, so it is read at most as often as there are levels, whatever refers to it.
  private mutating func remembered(
    _ node: Node, levels: Int,
    _ read: (inout ObjectReader, Int) throws(ArchiveError) -> UnarchivedPart?
  ) throws(ArchiveError) -> UnarchivedPart? {
    guard levels > 0 else { return nil }
    if let part = foundationCache.parts[node] { return part.weight.levels <= levels ? part : nil }
    if let failed = foundationCache.failures[node], levels <= failed { return nil }
    guard let part = try read(&self, levels - 1) else {
      foundationCache.failures[node] = levels
      foundationCache.overrun?.path.append(node)
      return nil
    }
    if part.weight.isHeavy { keep(part, of: node) }
    return part
  }

  /// Remembers a value, and forgets all others when they have become too many to hold.
  private mutating func keep(_ part: UnarchivedPart, of node: Node) {
    foundationCache.held.add(part.weight)
    if foundationCache.held.parts > limits.parts || foundationCache.held.bytes > 1 << 26 {
      foundationCache.parts = [:]
      foundationCache.held = part.weight
    }
    foundationCache.parts[node] = part
  }

  /// Counts what is read for values, so that no archive can ask for reading the same forever.
  ///
  /// The bound is that of written values; parts have four times as much of it, since a light value
  /// is read again wherever it stands.
  private mutating func spend(_ weight: ValueWeight) throws(ArchiveError) {
    foundationCache.spent.add(weight)
    let parts = (table.count + 65_536).multipliedReportingOverflow(by: limits.expansion)
    let bytes = (archive.propertyList.byteCount + (1 << 20))
      .multipliedReportingOverflow(by: limits.expansion)
    guard parts.overflow || foundationCache.spent.parts / 4 <= parts.partialValue,
      bytes.overflow || foundationCache.spent.bytes <= bytes.partialValue
    else { throw limits.exceeded(.expansion) }
  }
}
