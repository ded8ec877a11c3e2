import ArchiveReader
import Importer
import Stores

extension ArchiveEditor {
  /// An element of a collection, as references.
  private struct Element {
    var key: ArchiveCopy.Part?
    var value: ArchiveCopy.Part
  }

  /// A collection as the rows of an owner have it.
  ///
  /// - Parameters:
  ///   - property: The property of the owner.
  ///   - subject: The owner.
  ///   - cells: The values of its row.
  ///   - old: The value that its object has.
  /// - Returns: The reference to it; nil for none at all.
  /// - Throws: `EditError` if an element cannot be put back.
  mutating func collection(
    _ property: ExpectedRun.Property, of subject: Subject, _ cells: [StoredValue], _ old: Standing?
  ) throws -> ArchiveCopy.Part? {
    let former = try formerCollection(old)
    var known = try former ?? sampleCollection(property, subject)
    let elements = try elements(property, of: subject, &known)
    if elements.isEmpty {
      // Where nothing tells an empty collection from none, all rows have one, or all have none.
      let isThere = former != nil || subject.isNew && known != nil
      guard property.storage.count.map({ cells[$0] != .null }) ?? isThere else { return nil }
    }
    let isOrdered =
      property.storage.members?.position != nil
      || property.storage.elements.map { plan.layout.elementTables[$0].position != nil } == true
    return try collection(
      elements, known, isOrdered: isOrdered, failure(subject.place, property.name))
  }

  /// Sets the elements of a collection that has a row of its own.
  mutating func setCollection(_ edited: StoreEdits.Elements) throws {
    func fail(_ reason: String) -> EditError {
      EditError(
        table: RelationalLayout.collectionTable, row: edited.owner, column: "", reason: reason)
    }
    let index = edited.owner - rows.firstCollection - 1
    guard index >= 0, index < Int64(rows.collections.count) else {
      throw fail("is not of this archive")
    }
    let (id, kind) = rows.collections[Int(index)]
    guard case .object(let uid) = id, uid < copy.archive.objectCount else {
      throw fail("the collection is a part of another object")
    }
    var known = try formerCollection((.collection(id, kind), .reference(uid)))
    guard
      let scan = ElementComparison.Scan(RelationalLayout.collectionElements, store)
    else { throw fail("its elements are not there") }
    let elements = try read(
      scan, edited.owner, defaultTable: nil, &known, isKeyed: kind.isKeyed, fail)
    let part = try collection(elements, known, isOrdered: kind.isOrdered, fail)
    guard let new = copy.uid(of: part) else { throw fail("its form is not known") }
    copy[uid] = copy[new]
    copy[new] = .leaf(.string("$null"))
  }

  // MARK: Elements as rows have them

  private mutating func elements(
    _ property: ExpectedRun.Property, of subject: Subject, _ known: inout Former?
  ) throws -> [Element] {
    let storage = property.storage
    let place = subject.place
    let name = property.name
    if let members = storage.members {
      return try self.members(members, of: place, name)
    }
    let isInverse = storage.elements == nil
    guard let index = storage.elements ?? storage.inverseElements,
      let scan = ElementComparison.Scan(
        plan.layout.elementTables[index], isInverse: isInverse, store)
    else { throw error(place, name, "its elements are not there") }
    let form = plan.layout.elementTables[index]
    let column = isInverse ? form.owner : form.reference
    let table = column.flatMap { form.table.columns[$0].references }
    return try read(
      scan, place.id, defaultTable: table, &known, isKeyed: form.key != nil, failure(place, name))
  }

  private mutating func members(
    _ storage: RelationalLayout.MemberStorage, of place: Place, _ name: String
  ) throws -> [Element] {
    let index = plan.layout.entities[storage.entity].table
    let table = plan.layout.tables[index]
    let owner = SQL.quoted(table.columns[storage.reference].name)
    let order = storage.position.map { SQL.quoted(table.columns[$0].name) + ", " } ?? ""
    let found = try store.rows(
      """
      SELECT \(table.quotedKey) FROM \(SQL.quoted(table.name)) WHERE \(owner) = ?
        ORDER BY \(order)\(table.quotedKey)
      """, [.integer(place.id)])
    var elements: [Element] = []
    for row in found {
      guard case .integer(let id) = row[0] else { continue }
      let uid = try object(Place(table: index, id: id), for: place, name)
      elements.append(Element(value: .reference(uid)))
    }
    return elements
  }

  private mutating func read(
    _ scan: ElementComparison.Scan, _ owner: Int64, defaultTable: String?, _ known: inout Former?,
    isKeyed: Bool, _ fail: (String) -> EditError
  ) throws -> [Element] {
    let (before, overflow) = owner.subtractingReportingOverflow(1)
    guard !overflow else { return [] }
    var elements: [Element] = []
    var keys: Set<[StoredValue]> = []
    for row in try store.rows(scan.sql, [.integer(before), .integer(owner)]) {
      for (name, cell) in scan.others where row[cell] != .null {
        throw fail("the archive has no place for \(name)")
      }
      func cell(_ column: Int?) -> StoredValue { column.map { row[$0] } ?? .null }
      let value = try item(
        cell(scan.value), cell(scan.reference), cell(scan.referenceType), defaultTable, &known,
        isKey: false, fail)
      var element = Element(value: value)
      if isKeyed {
        let key = [cell(scan.key), cell(scan.keyReference), cell(scan.keyType)]
        guard keys.insert(key).inserted else { throw fail("two elements have the same key") }
        element.key = try item(
          cell(scan.key), cell(scan.keyReference), cell(scan.keyType), nil, &known, isKey: true,
          fail)
      }
      elements.append(element)
    }
    return elements
  }

  /// A key or a value of a collection, as a reference.
  private mutating func item(
    _ value: StoredValue, _ reference: StoredValue, _ type: StoredValue, _ table: String?,
    _ known: inout Former?, isKey: Bool, _ fail: (String) -> EditError
  ) throws -> ArchiveCopy.Part {
    if case .integer(let id) = reference {
      guard value == .null else {
        throw fail("an element has both a value and a reference")
      }
      var name = table
      if case .text(let text) = type { name = text }
      if name == RelationalLayout.collectionTable {
        let index = id.subtractingReportingOverflow(rows.firstCollection + 1)
        guard !index.overflow, index.partialValue >= 0,
          index.partialValue < Int64(rows.collections.count),
          case .object(let uid) = rows.collections[Int(index.partialValue)].id
        else { throw fail("refers to a collection that is not of this archive") }
        return .reference(uid)
      }
      guard let index = plan.layout.tables.firstIndex(where: { $0.name == name }) else {
        throw fail("refers to no table of objects")
      }
      let uid: Int
      do {
        uid = try object(Place(table: index, id: id), for: Place(table: index, id: id), "")
      } catch let error as EditError {
        throw fail(error.reason)
      }
      return .reference(uid)
    }
    if let part = known?.take(value, isKey: isKey) { return part }
    guard value != .null else { return instance("NSNull", []) }
    let samples = known?.samples(for: value, isKey: isKey) ?? []
    if case .text(let text) = value, known?.hasJSON == true, samples.isEmpty || text.hasPrefix("{")
    {
      throw fail("values of this class cannot be put back")
    }
    // A text that may be several things is the first of them.
    var failure: (any Error)?
    for like in samples {
      do {
        return self.reference(to: try part(for: value, like: like, nil, fail))
      } catch { failure = failure ?? error }
    }
    if let failure {
      throw samples.count > 1
        ? fail("the text is no value of a kind that the collection holds") : failure
    }
    return self.reference(to: try part(for: value, like: nil, nil, fail))
  }

  // MARK: Collections as the archive has them

  /// The form of a collection that another object of the table has.
  private func sampleCollection(
    _ property: ExpectedRun.Property, _ subject: Subject
  ) throws -> Former? {
    guard let key = try key(of: property.name, subject),
      let found = try sample(
        of: key, subject, where: { if case .collection = $0 { true } else { false } }),
      var former = try formerCollection(found)
    else { return nil }
    (former.values, former.keys) = ([:], [:])
    return former
  }

  private func formerCollection(_ old: Standing?) throws -> Former? {
    guard let old, case .collection(let id, let kind) = old.value else { return nil }
    var former = Former(kind: kind)
    guard let uid = copy.uid(of: old.part), uid < copy.archive.objectCount else { return former }
    // As the archive has it, whatever was changed meanwhile.
    let original = ArchiveCopy(copy.archive)
    let entries = original.entries(of: original[uid])
    former.entries = entries
    let elements = try rows.graph.elements(of: id, kind)
    func parts(_ name: String) -> [ArchiveCopy.Part] {
      entries?.first { original.name($0.key) == name }
        .flatMap { original.elements(of: $0.value) } ?? numbered(entries ?? [])
    }
    var hasJSON = false
    func add(
      _ value: GraphValue, _ part: ArchiveCopy.Part, _ known: inout [String: [ArchiveCopy.Part]],
      isKey: Bool
    ) {
      switch value {
      case .object, .collection: return
      case .foundation: hasJSON = true
      default: break
      }
      known[StoredValue(value, rows.graph).key, default: []].append(part)
      former.add((value, part), isKey: isKey)
    }
    var known: (values: [String: [ArchiveCopy.Part]], keys: [String: [ArchiveCopy.Part]]) = (
      [:], [:]
    )
    let (keys, values) = (parts("NS.keys"), parts("NS.objects"))
    if values.count == elements.count {
      for index in (0..<elements.count).reversed() {
        add(
          try rows.graph.value(of: elements, at: index), values[index], &known.values, isKey: false)
      }
    }
    if kind.isKeyed, keys.count == elements.count {
      for index in (0..<elements.count).reversed() {
        add(
          try rows.graph.key(of: elements, at: index), keys[index], &known.keys, isKey: true)
      }
    }
    (former.values, former.keys, former.hasJSON) = (known.values, known.keys, hasJSON)
    return former
  }

  /// The elements of a collection whose keys number them.
  private func numbered(
    _ entries: [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)]
  ) -> [ArchiveCopy.Part] {
    entries.compactMap { entry -> (number: Int, value: ArchiveCopy.Part)? in
      guard let name = copy.name(entry.key), name.hasPrefix(Self.numberedKey),
        let number = Int(name.dropFirst(Self.numberedKey.count))
      else { return nil }
      return (number, entry.value)
    }.sorted { $0.number < $1.number }.map(\.value)
  }

  private static let numberedKey = "NS.object."

  /// Makes a collection; returns the reference to it.
  private mutating func collection(
    _ elements: [Element], _ known: Former?, isOrdered: Bool, _ fail: (String) -> EditError
  ) throws -> ArchiveCopy.Part {
    let values = elements.map(\.value)
    let keys = elements.compactMap(\.key)
    guard let known else {
      let isKeyed = !keys.isEmpty
      let lists =
        (isKeyed ? [("NS.keys", ArchiveCopy.Part.array(keys))] : [])
        + [("NS.objects", .array(values))]
      return instance(isKeyed ? "NSDictionary" : isOrdered ? "NSArray" : "NSSet", lists)
    }
    guard var entries = known.entries else {
      guard !known.kind.isKeyed else { throw fail("the form of its collection is not known") }
      return .array(values)
    }
    func place(_ name: String) -> Int? { entries.firstIndex { copy.name($0.key) == name } }
    if place("NS.count") != nil { throw fail("a counted set cannot be put back") }
    if let index = place("NS.objects") {
      entries[index].value = .array(values)
      if let index = place("NS.keys") {
        guard keys.count == values.count else { throw fail("an element has no key") }
        entries[index].value = .array(keys)
      }
    } else {
      let isNumbered = entries.contains { copy.name($0.key)?.hasPrefix(Self.numberedKey) == true }
      guard isNumbered || known.kind.isOrdered, !known.kind.isKeyed else {
        throw fail("the form of its collection is not known")
      }
      entries.removeAll { copy.name($0.key)?.hasPrefix(Self.numberedKey) == true }
      let numbered = values.enumerated().map { index, value in
        (ArchiveCopy.Part.leaf(.string("\(Self.numberedKey)\(index)")), value)
      }
      entries.insert(contentsOf: numbered.map { (key: $0.0, value: $0.1) }, at: 0)
    }
    return .reference(copy.add(.dictionary(entries)))
  }
}
