import ArchiveReader
import ArchiveWriter
import Foundation
import Importer
import Stores
import Synchronization
import Verification

/// The objects that the rows of a store are, one at a time.
///
/// Unchecked: one thread at a time reads rows; the numbers of what is refused are locked.
final class StoreRows: @unchecked Sendable {
  /// A row.
  struct Place: Hashable {
    /// Its table, by its place among the entities of the form.
    var table: Int
    var id: Int64
  }

  /// A value under a key, or in a collection.
  enum Item: Sendable {
    case none
    case row(Place)
    /// A value that stands where it is if it can: a number, or bytes.
    case plain(PropertyListValue)
    /// A value that is an object of its own.
    case object(PropertyListValue)
    /// An object of Foundation, with a value for each of its keys.
    case instance(InstanceForm, [Item])
    /// A class as a value.
    case className(String)
    case collection(CollectionKind, keys: [Item], values: [Item])
    /// A value as the store has it, and what it stands for, as far as that is known.
    indirect case stored(StoredValue, Item)
  }

  /// The class and the keys of objects.
  final class InstanceForm: Sendable {
    let className: String
    let keys: [String]
    let archived: ArchiveCopy.Keys

    init(_ className: String, _ keys: [String]) {
      (self.className, self.keys) = (className, keys)
      archived = ArchiveCopy.Keys((keys + ["$class"]).map { .leaf(.string($0)) })
    }

    static let null = InstanceForm("NSNull", [])
    static let date = InstanceForm("NSDate", ["NS.time"])
    static let uuid = InstanceForm("NSUUID", ["NS.uuidbytes"])
    static let url = InstanceForm("NSURL", ["NS.base", "NS.relative"])
  }

  typealias Entry = (property: StoreForm.Property, value: Item)

  let form: StoreForm
  let database: Database
  /// The number of values that cannot be exported, by what is said of them.
  var refused: [String: Int] { refusals.withLock { $0 } }
  private let refusals = Mutex<[String: Int]>([:])
  private let tables: [String: Int]
  private var isEmpty: [String: Bool] = [:]
  let texts: TextKinds
  let foundation = FoundationItems()
  /// True if values that are stored alike are alike, whatever they stand for.
  let isComparing: Bool

  init(path: String, isComparing: Bool) throws(StoreError) {
    self.isComparing = isComparing
    database = try Database(reading: path)
    // All is read as it is now, whoever writes meanwhile.
    try database.execute("BEGIN")
    form = try StoreForm(path: path, database)
    tables = Dictionary(
      form.entities.enumerated().map { ($1.table, $0) }, uniquingKeysWith: { first, _ in first })
    texts = TextKinds(form.hierarchies.keys)
  }

  /// The place of a table among the entities.
  func table(named name: String) -> Int? { tables[name] }

  func refuse(_ place: String, _ reason: String) {
    refuse("\(place): \(reason)", count: 1)
  }

  private func refuse(_ words: String, count: Int) {
    refusals.withLock { $0[words, default: 0] += count }
  }

  /// Refuses values in columns that no key has claimed.
  func refuseStrayColumns() throws(StoreError) {
    for (table, columns) in form.free {
      for column in columns where !isPosition(column, of: table) {
        let found = try database.rows(
          "SELECT count(\(SQL.quoted(column))) FROM \(SQL.quoted(table))")
        guard case .integer(let count)? = found.first?.first, count > 0 else { continue }
        refuse("\(table), \(column): no key is known for the column", count: Int(count))
      }
    }
  }

  /// True if a column has the positions of the members of collections.
  private func isPosition(_ column: String, of table: String) -> Bool {
    form.entities.contains { entity in
      entity.properties.contains {
        $0.elements?.table == table && $0.elements?.position == column
      }
    }
  }

  // MARK: Rows

  /// The values under the keys of a row's object; nil if there is no such row.
  func entries(of place: Place) throws(StoreError) -> [Entry]? {
    try values(of: place).map { Array(zip(form.entities[place.table].properties, $0)) }
  }

  /// The values under the keys of a row's object, in the order of the properties; nil if there is no
  /// such row.
  func values(of place: Place) throws(StoreError) -> [Item]? {
    let entity = form.entities[place.table]
    let rows = try rows(&entity.rows) {
      let list = (entity.columns + [entity.id]).map(SQL.quoted).joined(separator: ", ")
      let id = SQL.quoted(entity.id)
      return "SELECT \(list) FROM \(SQL.quoted(entity.table)) WHERE \(id) >= ? ORDER BY \(id)"
    }
    try rows.seek(place.id)
    guard let cells = try rows.next() else { return nil }
    var values: [Item] = []
    values.reserveCapacity(entity.properties.count)
    for property in entity.properties {
      values.append(try item(property, of: place, entity, cells))
    }
    return values
  }

  private func item(
    _ property: StoreForm.Property, of place: Place, _ entity: StoreForm.Entity,
    _ cells: [StoredValue]
  ) throws(StoreError) -> Item {
    let name = property.title
    if property.isPlain, let column = property.value {
      return value(cells[column], property.type, name)
    }
    func cell(_ column: Int?) -> StoredValue { column.map { cells[$0] } ?? .null }
    var (found, count) = (Item.none, 0)
    func add(_ item: Item) { (found, count) = (item, count + 1) }
    if cell(property.reference) != .null {
      add(
        target(cell(property.reference), cell(property.referenceType), property.target, name))
    }
    if isComparing, cell(property.runs) != .null {
      let values = [cell(property.value), cell(property.runs)].map { Item.stored($0, .none) }
      add(.collection(.array, keys: [], values: values))
    } else if case .text(let runs) = cell(property.runs) {
      add(attributedText(cell(property.value), runs, name))
    } else if cell(property.value) != .null {
      add(value(cell(property.value), property.type, name))
    }
    let hasOthers = property.reference != nil || property.value != nil
    if let elements = property.elements, count == 0 || !isEmpty(elements.table) {
      let kind: CollectionKind? =
        entity.areCollections
        ? { if case .text(let text) = cells[1] { CollectionKind(rawValue: text) } else { nil } }()
        : nil
      let (collection, size) = try self.collection(elements, kind, of: place, property)
      // Without a count, all rows have a collection, or those that are empty are none.
      let isThere = size > 0 || (property.count.map { cells[$0] != .null } ?? !hasOthers)
      if isThere { add(collection) }
      if isThere, size == 0, kind == nil, elements.position != nil, elements.isKeyed {
        refuse(name, "an empty collection may be a list or a dictionary")
      }
    }
    if count > 1 { refuse(name, "there are several values for one key") }
    return found
  }

  private func target(
    _ id: StoredValue, _ type: StoredValue, _ table: String?, _ name: String
  ) -> Item {
    var table = table
    if case .text(let text) = type { table = text }
    guard case .integer(let id) = id, let table = table.flatMap({ tables[$0] }) else {
      refuse(name, "refers to no table of objects")
      return .none
    }
    return .row(Place(table: table, id: id))
  }

  // MARK: Collections

  private func collection(
    _ elements: StoreForm.Elements, _ kind: CollectionKind?, of place: Place,
    _ property: StoreForm.Property
  ) throws(StoreError) -> (Item, count: Int) {
    let name = property.title
    var kind = kind ?? (elements.isKeyed && elements.position == nil ? .dictionary : nil)
    var (keys, values): ([Item], [Item]) = ([], [])
    if !isEmpty(elements.table) {
      let rows = try rows(&property.rows) { Self.query(elements) }
      try rows.seek(place.id)
      var (hasKeys, hasPositions) = (false, false)
      var known: Set<[StoredValue]> = []
      while let row = try rows.next() {
        if elements.areMembers {
          values.append(target(row[4], .null, elements.target, name))
          hasPositions = elements.position != nil
          continue
        }
        hasPositions = hasPositions || row[6] != .null
        let isPair = row[0] != .null || row[1] != .null
        if isPair, !known.insert(Array(row[..<3])).inserted {
          refuse(name, "two elements have the same key")
        }
        hasKeys = hasKeys || isPair
        keys.append(element(row[0], row[1], row[2], .mixed, nil, name))
        values.append(
          element(row[3], row[4], row[5], elements.valueType, elements.target, name))
      }
      if !values.isEmpty {
        kind = kind ?? (hasKeys ? .dictionary : hasPositions ? .array : .set)
      }
    }
    let known = kind ?? (elements.position != nil ? .array : .set)
    return (
      .collection(known, keys: known.isKeyed ? keys : [], values: values), values.count
    )
  }

  private static func query(_ elements: StoreForm.Elements) -> String {
    let names = [
      elements.key, elements.keyReference, elements.keyType, elements.value, elements.reference,
      elements.referenceType, elements.position, elements.owner,
    ]
    let list = names.map { $0.map(SQL.quoted) ?? "NULL" }.joined(separator: ", ")
    let position = elements.position.map(SQL.quoted)
    let condition = elements.areMembers ? position.map { " AND \($0) IS NOT NULL" } ?? "" : ""
    let id = SQL.quoted(elements.areMembers ? elements.reference ?? "id" : "id")
    let owner = SQL.quoted(elements.owner)
    return "SELECT \(list) FROM \(SQL.quoted(elements.table)) WHERE \(owner) >= ?\(condition) "
      + "ORDER BY \(owner), \(position.map { $0 + ", " } ?? "")\(id)"
  }

  private func element(
    _ value: StoredValue, _ reference: StoredValue, _ type: StoredValue, _ kind: AttributeType,
    _ table: String?, _ name: String
  ) -> Item {
    if reference != .null {
      if value != .null { refuse(name, "there are several values for one element") }
      return target(reference, type, table, name)
    }
    return value == .null ? .instance(.null, []) : self.value(value, kind, name)
  }

  // MARK: Statements

  private func rows(
    _ known: inout RowsByID?, _ sql: () -> String
  ) throws(StoreError) -> RowsByID {
    if let known { return known }
    let made = RowsByID(try database.prepare(sql()))
    known = made
    return made
  }

  /// True if a table has no rows.
  private func isEmpty(_ table: String) -> Bool {
    if let known = isEmpty[table] { return known }
    let found = try? database.rows("SELECT 1 FROM \(SQL.quoted(table)) LIMIT 1")
    isEmpty[table] = found?.isEmpty ?? false
    return found?.isEmpty ?? false
  }
}
