/// Counts the objects of each class and what stands under their keys.
struct ClassCounter {
  private struct KeyCount {
    var count = 0
    var types: [String] = []
  }

  private struct ClassCount {
    var count = 0
    var keys: [String: KeyCount] = [:]
    var order: [String] = []
  }

  private var reader: ObjectReader
  private var counts: [ClassID: ClassCount] = [:]

  init(_ archive: KeyedArchive, limits: ReadingLimits) {
    reader = ObjectReader(archive, limits: limits)
  }

  /// Counts all entries of `$objects`, whether they are reached or not.
  mutating func count() throws(ArchiveError) -> [ArchiveInspection.Class] {
    let archive = reader.archive
    for uid in 0..<archive.objectCount {
      let node = archive.table[archive.objects, uid]
      guard case .dictionary(let keys, _) = archive.table.value(of: node),
        (0..<keys.count).contains(where: {
          archive.table.string(at: archive.table[keys, $0]) == "$class"
        })
      else { continue }
      try add(try reader.object(uid))
    }
    return result()
  }

  private mutating func add(_ object: ArchivedObject) throws(ArchiveError) {
    let keys = reader.shapes[object.shape].keys
    counts[object.class, default: ClassCount()].count += 1
    for (position, key) in keys.enumerated() where key != "$class" {
      let type = try typeName(of: reader.table[object.values, position])
      if counts[object.class]?.keys[key] == nil { counts[object.class]?.order.append(key) }
      counts[object.class]?.keys[key, default: KeyCount()].count += 1
      if counts[object.class]?.keys[key]?.types.contains(type) == false {
        counts[object.class]?.keys[key]?.types.append(type)
      }
    }
  }

  /// The kind of a plain value, the class of an object, or "nil".
  private mutating func typeName(of node: Node) throws(ArchiveError) -> String {
    guard case .uid(let uid) = reader.table.value(of: node) else {
      return reader.table.value(of: node).typeName
    }
    // A dangling reference is told of elsewhere.
    guard uid < reader.archive.objectCount else { return "missing" }
    let value: ArchivedValue
    do throws(ArchiveError) {
      value = try reader.value(ofObject: uid)
    } catch {
      guard error.code == .danglingReference else { throw error }
      return "missing"
    }
    switch value {
    case .null: return "nil"
    case .className: return "class"
    default:
      let entry = reader.table.value(of: try reader.entry(uid))
      guard case .dictionary = entry, let object = try? reader.object(uid) else {
        return entry.typeName
      }
      return reader.classes[object.class.index].name
    }
  }

  /// Classes by name: several records can have one.
  private func result() -> [ArchiveInspection.Class] {
    var classes: [String: ArchiveInspection.Class] = [:]
    for (id, count) in counts.sorted(by: { $0.key.index < $1.key.index }) {
      let record = reader.classes[id.index]
      var merged =
        classes[record.name]
        ?? ArchiveInspection.Class(
          name: record.name, count: 0, hierarchy: record.hierarchy, keys: [])
      merged.count += count.count
      for key in count.order {
        guard let more = count.keys[key] else { continue }
        if let place = merged.keys.firstIndex(where: { $0.key == key }) {
          merged.keys[place].count += more.count
          merged.keys[place].types += more.types.filter { !merged.keys[place].types.contains($0) }
        } else {
          merged.keys.append(.init(key: key, count: more.count, types: more.types))
        }
      }
      classes[record.name] = merged
    }
    return classes.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}
