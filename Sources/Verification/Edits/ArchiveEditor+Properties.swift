import ArchiveReader
import DataModel
import Importer
import Stores

extension ArchiveEditor {
  /// Sets the key of an object that a property holds, as the row has it.
  mutating func set(_ index: Int, of subject: Subject, _ cells: [StoredValue]) throws {
    let property = run.properties[subject.entity][index]
    let storage = property.storage
    let place = subject.place
    guard let key = try key(of: property.name, subject) else {
      // A class may lack keys that others of its entity have.
      guard isSet(storage, cells) else { return }
      throw error(place, property.name, "the class has no such key")
    }
    let old = try formerValue(key, subject)
    if let column = storage.reference, case .integer(let id) = cells[column] {
      if let value = storage.value, cells[value] != .null {
        throw error(place, value, "there is both a value and a reference")
      }
      let target = Place(table: try table(of: column, storage.referenceType, cells, place), id: id)
      let name = plan.layout.tables[place.table].columns[column].name
      let uid = try object(target, for: place, name)
      return try set(key, of: subject, to: .reference(uid))
    }
    if let column = storage.runs, cells[column] != .null {
      throw error(place, column, "texts with attributes cannot be put back")
    }
    if let column = storage.value, cells[column] != .null {
      if case .collection = old?.value, !subject.isNew, storage.elements != nil {
        throw error(place, column, "the key holds a collection")
      }
      let part = try part(
        for: cells[column], like: old ?? (try sample(of: key, subject, where: \.isPlain)),
        attributeType(property.name, subject.entity),
        failure(place, plan.layout.tables[place.table].columns[column].name))
      return try set(key, of: subject, to: part)
    }
    if storage.elements != nil || storage.members != nil || storage.inverseElements != nil,
      let part = try collection(property, of: subject, cells, old)
    {
      return try set(key, of: subject, to: part)
    }
    if storage.overflow != nil, !subject.isNew {
      throw error(place, property.name, "the property has no column of its own")
    }
    try set(key, of: subject, to: nil)
  }

  private func isSet(
    _ storage: RelationalLayout.PropertyStorage, _ cells: [StoredValue]
  ) -> Bool {
    [storage.value, storage.reference, storage.count].contains { column in
      column.map { cells[$0] != .null } ?? false
    }
  }

  /// The table that a reference leads to.
  private func table(
    of column: Int, _ type: Int?, _ cells: [StoredValue], _ place: Place
  ) throws(EditError) -> Int {
    var name = plan.layout.tables[place.table].columns[column].references
    if let type, case .text(let text) = cells[type] { name = text }
    guard let index = plan.layout.tables.firstIndex(where: { $0.name == name }) else {
      throw error(place, column, "refers to no table of objects")
    }
    return index
  }

  private func attributeType(_ name: String, _ entity: Int) -> AttributeType? {
    plan.model.entities[entity].attributes.first { $0.name == name }?.type
  }

  // MARK: Keys

  /// A value of the archive, and where it stands.
  typealias Standing = (value: GraphValue, part: ArchiveCopy.Part)

  /// The archived key of a property: of several, the one that the object has.
  func key(of name: String, _ subject: Subject) throws -> String? {
    let className = try className(of: subject)
    guard case .plain(_, let properties) = rows.pass.classes[className] else { return nil }
    let keys = properties.filter { $0.value == name }.map(\.key)
      .sorted { $0.precedesInBytes($1) }
    return keys.first { entry($0, of: subject) != nil } ?? keys.first
  }

  private func className(of subject: Subject) throws -> String {
    guard subject.isNew else {
      return rows.graph.classRecord(of: try rows.graph.object(subject.uid)).name
    }
    return try newClass(ofTable: subject.place.table).name
  }

  /// The value that an object of the archive has under a key; nil for nothing.
  private func formerValue(_ key: String, _ subject: Subject) throws -> Standing? {
    subject.isNew ? nil : try value(key, of: subject)
  }

  private func value(_ key: String, of subject: Subject) throws -> Standing? {
    let object = try rows.graph.object(subject.uid)
    guard let position = rows.graph.position(of: key, in: object) else { return nil }
    let value = try rows.graph.value(of: object, at: position)
    guard !value.isNothing, let part = entry(key, of: subject) else { return nil }
    return (value, part)
  }

  /// A value that another object of the table has under a key.
  func sample(
    of key: String, _ subject: Subject, where fits: (GraphValue) -> Bool
  ) throws -> Standing? {
    let table = subject.place.table
    for index in 0..<min(rows.ledger.count(of: table), Self.maxSamples) {
      guard let uid = rows.ledger.origin(ofRow: index, table: table).uid, let other = row(of: uid),
        let found = try value(key, of: other), fits(found.value)
      else { continue }
      return found
    }
    return nil
  }

  /// The number of rows that are looked at for how their objects hold a value.
  private static let maxSamples = 1_000

  /// The content of an object under a key.
  private func entry(_ key: String, of subject: Subject) -> ArchiveCopy.Part? {
    guard let entries = entries(of: subject) else { return nil }
    if let pairs = pairs(of: entries) {
      return zip(pairs.keys, pairs.values).first { isText($0.0, key) }?.1
    }
    return entries.first { isKey($0.key, key) }?.value
  }

  private func isKey(_ part: ArchiveCopy.Part, _ key: String) -> Bool {
    copy.name(part).map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }

  /// True for the reference to the text of a key of a dictionary, which has no escapes.
  private func isText(_ reference: ArchiveCopy.Part, _ key: String) -> Bool {
    guard let uid = copy.uid(of: reference), uid < copy.objectCount, let text = copy.name(copy[uid])
    else { return false }
    return ArchivedKey.escaped(text).utf8.elementsEqual(key.utf8)
  }

  /// The keys and values of a dictionary that was taken for a record; nil for any other object.
  func pairs(
    of entries: [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)]
  ) -> (keys: [ArchiveCopy.Part], values: [ArchiveCopy.Part])? {
    func list(_ name: String) -> [ArchiveCopy.Part]? {
      entries.first { copy.name($0.key) == name }.flatMap { copy.elements(of: $0.value) }
    }
    guard let keys = list("NS.keys"), let values = list("NS.objects"), keys.count == values.count
    else { return nil }
    return (keys, values)
  }

  /// Sets what an object has under a key.
  private mutating func set(
    _ key: String, of subject: Subject, to part: ArchiveCopy.Part?
  ) throws {
    guard var entries = entries(of: subject) else {
      throw error(subject.place, key, "its object has no keys")
    }
    if var (keys, values) = pairs(of: entries) {
      let index = keys.firstIndex { isText($0, key) }
      if let part {
        let value = reference(to: part)
        if let index {
          values[index] = value
        } else {
          keys.append(reference(to: .leaf(.string(ArchivedKey.plain(key)))))
          values.append(value)
        }
      } else if let index {
        keys.remove(at: index)
        values.remove(at: index)
      }
      for index in entries.indices {
        switch copy.name(entries[index].key) {
        case "NS.keys": entries[index].value = .array(keys)
        case "NS.objects": entries[index].value = .array(values)
        default: break
        }
      }
      set(entries, of: subject)
      return
    }
    if let index = entries.firstIndex(where: { isKey($0.key, key) }) {
      if let part {
        entries[index].value = part
      } else if copy.uid(of: entries[index].value) != nil, hasNil {
        entries[index].value = .leaf(.none)
      } else {
        entries.remove(at: index)
      }
    } else if let part {
      entries.insert((.leaf(.string(ArchivedName.plain(key))), part), at: 0)
    }
    set(entries, of: subject)
  }

  /// A reference to a value, which becomes an object of its own unless it is one.
  mutating func reference(to part: ArchiveCopy.Part) -> ArchiveCopy.Part {
    if copy.uid(of: part) != nil { return part }
    return .reference(copy.add(part))
  }
}

extension GraphValue {
  /// True for what has no row, and is no collection.
  fileprivate var isPlain: Bool {
    switch self {
    case .object, .collection: false
    default: true
    }
  }

  /// True for nil and for `NSNull`.
  fileprivate var isNothing: Bool {
    switch self {
    case .null, .nsNull: true
    default: false
    }
  }
}
