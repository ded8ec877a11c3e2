import ArchiveReader
import ArchiveWriter
import Stores

extension ArchiveEditor {
  /// The class of the objects that rows of a table become, and one of them, if there is any.
  func newClass(ofTable table: Int) throws -> (name: String, sample: Subject?) {
    if rows.ledger.count(of: table) > 0,
      let uid = rows.ledger.origin(ofRow: 0, table: table).uid, let sample = row(of: uid)
    {
      return (rows.graph.classRecord(of: try rows.graph.object(uid)).name, sample)
    }
    let names = rows.pass.classes.compactMap { name, use -> String? in
      guard case .plain(let entity, _) = use, plan.layout.entities[entity].table == table else {
        return nil
      }
      return name
    }
    guard let name = names.min(by: { $0.precedesInBytes($1) }) else {
      throw EditError(
        table: plan.layout.tables[table].name, row: nil, column: "", reason: "is of no class")
    }
    return (name, nil)
  }

  /// Makes the object of an added row, without keys yet.
  mutating func newObject(ofTable table: Int) throws -> (uid: Int, entity: Int) {
    let (name, sample) = try newClass(ofTable: table)
    func fail(_ reason: String) -> EditError {
      EditError(
        table: plan.layout.tables[table].name, row: nil, column: "", reason: reason)
    }
    guard case .plain(let entity, _) = rows.pass.classes[name] else { throw fail("is of no class") }
    guard let sample else {
      // The names of records are no classes.
      guard !(rows.graph.source is RecordSource) else {
        throw fail("rows were added, but the archive has no object like them")
      }
      let record = try classReference(name)
      return (copy.add(.dictionary([(.leaf(.string("$class")), record)])), entity)
    }
    guard sample.uid < copy.archive.objectCount, let known = entries(of: sample),
      let record = known.first(where: { copy.name($0.key) == "$class" })
    else { throw fail("rows were added, but their objects are made of others") }
    let isRecord = pairs(of: known) != nil
    let lists = isRecord ? ["NS.keys", "NS.objects"] : []
    let entries = lists.map {
      (key: ArchiveCopy.Part.leaf(.string($0)), value: ArchiveCopy.Part.array([]))
    }
    return (copy.add(.dictionary(entries + [record])), entity)
  }

  /// Adds an object of a class of Foundation; returns the reference to it.
  mutating func instance(
    _ name: String, _ pairs: [(String, ArchiveCopy.Part)]
  ) -> ArchiveCopy.Part {
    var entries = pairs.map { (key: ArchiveCopy.Part.leaf(.string($0.0)), value: $0.1) }
    entries.append(
      (.leaf(.string("$class")), record(name, KeyedArchiveBuilder.hierarchy(of: name))))
    return .reference(copy.add(.dictionary(entries)))
  }

  /// The reference to the record of a class, with the superclasses that the store has of it.
  private mutating func classReference(_ name: String) throws -> ArchiveCopy.Part {
    let found = try store.rows(
      "SELECT hierarchy FROM \(RelationalLayout.classTable) WHERE name = ?", [.text(name)])
    guard case .text(let hierarchy)? = found.first?.first, !hierarchy.isEmpty else {
      return record(name, KeyedArchiveBuilder.hierarchy(of: name))
    }
    return record(name, hierarchy.split(separator: " ").map(String.init))
  }

  /// The reference to the record of a class; a new one if the archive has none.
  private mutating func record(_ name: String, _ hierarchy: [String]) -> ArchiveCopy.Part {
    var known = classRecords ?? allClassRecords()
    defer { classRecords = known }
    if let uid = known[name] { return .reference(uid) }
    let uid = copy.add(
      .dictionary([
        (.leaf(.string("$classname")), .leaf(.string(name))),
        (.leaf(.string("$classes")), .array(hierarchy.map { .leaf(.string($0)) })),
      ]))
    known[name] = uid
    return .reference(uid)
  }

  private func allClassRecords() -> [String: Int] {
    var records: [String: Int] = [:]
    for uid in 0..<copy.archive.objectCount {
      guard let entries = copy.entries(of: copy[uid]),
        let name = entries.first(where: { copy.name($0.key) == "$classname" })
          .flatMap({ copy.name($0.value) }), records[name] == nil
      else { continue }
      records[name] = uid
    }
    return records
  }
}
