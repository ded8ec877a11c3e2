import ArchiveReader
import Stores
import Support

extension RowArchive {
  /// Compares the rows with those of another store, from the top-level keys on: what differs, up to
  /// a limit, and how much does.
  ///
  /// Their ids may be others.
  func differences(from other: RowArchive) throws -> (listed: [String], count: Int) {
    var comparison = Comparison(self, other)
    return try comparison.run()
  }

  private struct Comparison {
    let (one, other): (RowArchive, RowArchive)
    /// For each row that has been met, the other one.
    private var partners: [[Int64?]]
    /// For each row of the other store, true if it has been met.
    private var met: [[Bool]]
    private var pending: [(StoreRows.Place, StoreRows.Place)] = []
    private var next = 0
    private var listed: [String] = []
    private var count = 0

    init(_ one: RowArchive, _ other: RowArchive) {
      (self.one, self.other) = (one, other)
      partners = one.tables.map { Array(repeating: nil, count: $0.ids.count) }
      met = other.tables.map { Array(repeating: false, count: $0.ids.count) }
    }

    mutating func run() throws -> (listed: [String], count: Int) {
      if !areSame(one.top, other.top) { note("the top-level keys are not the same") }
      while let (place, partner) = pending.popLast() {
        let entity = one.rows.form.entities[place.table]
        guard let entries = try one.rows.entries(of: place),
          let others = try other.rows.entries(of: partner)
        else {
          note("\(entity.table) \(place.id) is not there")
          continue
        }
        let found = other.rows.form.entities[partner.table]
        if entity.className != found.className || !areSame(entries, others) {
          note("\(entity.table) \(place.id) is not the same")
        }
      }
      for (index, table) in other.tables.enumerated() {
        let name = other.rows.form.entities[index].table
        guard !other.rows.form.entities[index].isDocument else { continue }
        let count = met[index].count { $0 }
        if count != table.ids.count { note("\(name) has \(table.ids.count) rows, not \(count)") }
      }
      for (index, table) in one.tables.enumerated() where one.isOnly {
        let entity = one.rows.form.entities[index]
        let met = partners[index].count { $0 != nil }
        guard met != table.ids.count, !entity.isDocument else { continue }
        note("\(Words.count(table.ids.count - met, "row")) of \(entity.table) are not there")
      }
      return (listed, count)
    }

    private mutating func note(_ text: String) {
      count += 1
      if listed.count < ArchiveExport.maxMessages { listed.append(text) }
    }

    /// Compares values under keys, in whatever order; those that are nil may be left out.
    private mutating func areSame(_ one: [StoreRows.Entry], _ other: [StoreRows.Entry]) -> Bool {
      func sorted(_ entries: [StoreRows.Entry]) -> [StoreRows.Entry] {
        entries.filter { !isNothing($0.value) }
          .sorted { $0.property.key.precedesInBytes($1.property.key) }
      }
      let (one, other) = (sorted(one), sorted(other))
      guard one.count == other.count else { return false }
      for (one, other) in zip(one, other) {
        guard one.property.key.utf8.elementsEqual(other.property.key.utf8),
          isSame(one.value, other.value)
        else {
          return false
        }
      }
      return true
    }

    /// True for nil, and for an empty collection where nothing tells one from none.
    private func isNothing(_ item: StoreRows.Item) -> Bool {
      switch item {
      case .none: true
      case .collection(_, _, let values): one.isComparing && values.isEmpty
      default: false
      }
    }

    private mutating func isSame(_ item: StoreRows.Item, _ found: StoreRows.Item) -> Bool {
      switch (item, found) {
      case (.none, .none): return true
      case (.row(let place), .row(let partner)): return pair(place, partner)
      case (.stored(let one, let item), .stored(let other, let found)):
        if one == other { return true }
        if case .none = item { return false }
        return isSame(item, found)
      case (.plain(let one), .plain(let other)):
        if case .real(let one) = one, case .real(let other) = other {
          return one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
        }
        return one == other
      case (.object(.string(let one)), .object(.string(let other))),
        (.className(let one), .className(let other)):
        return one.utf8.elementsEqual(other.utf8)
      case (.object(let one), .object(let other)): return one == other
      case (.instance(let form, let values), .instance(let found, let others)):
        return form.className == found.className && form.keys == found.keys
          && values.count == others.count && zip(values, others).allSatisfy { isSame($0, $1) }
      case (
        .collection(let kind, let keys, let values),
        .collection(let foundKind, let foundKeys, let found)
      ):
        guard kind == foundKind, keys.count == foundKeys.count, values.count == found.count else {
          return false
        }
        let order = order(of: keys.isEmpty ? values : keys, kind, one.rows) { partner(of: $0) }
        let other = self.order(of: foundKeys.isEmpty ? found : foundKeys, kind, other.rows) {
          isMet($0) ? $0.id : nil
        }
        for (index, place) in zip(order, other) {
          guard keys.isEmpty || isSame(keys[index], foundKeys[place]),
            isSame(values[index], found[place])
          else { return false }
        }
        return true
      default: return false
      }
    }

    /// The places of elements in an order that is that of the collection, or where it has none, of
    /// their content.
    private func order(
      of items: [StoreRows.Item], _ kind: CollectionKind, _ rows: StoreRows,
      _ partner: (StoreRows.Place) -> Int64?
    ) -> [Int] {
      guard !kind.isOrdered, items.count > 1 else { return Array(items.indices) }
      func text(_ item: StoreRows.Item, isInside: Bool) -> String {
        switch item {
        case .row(let place):
          if isInside { return "" }
          if let partner = partner(place) { return "#\(partner)" }
          let entries = (try? rows.entries(of: place)) ?? []
          return entries.map { "\($0.property.key)=\(text($0.value, isInside: true))" }.sorted()
            .joined(separator: ",")
        case .stored(let value, _): return "\(value)"
        case .collection: return ""
        case .instance(let form, let values):
          return form.className + "\(values.map { text($0, isInside: true) })"
        default: return "\(item)"
        }
      }
      return items.enumerated().map { (index: $0, text: text($1, isInside: false)) }
        .sorted { ($0.text, $0.index) < ($1.text, $1.index) }.map(\.index)
    }

    private func partner(of place: StoreRows.Place) -> Int64? {
      one.tables[place.table].index(of: place.id).flatMap { partners[place.table][$0] }
    }

    private func isMet(_ place: StoreRows.Place) -> Bool {
      other.tables[place.table].index(of: place.id).map { met[place.table][$0] } ?? false
    }

    /// Takes two rows for each other.
    private mutating func pair(_ place: StoreRows.Place, _ partner: StoreRows.Place) -> Bool {
      let (table, found) = (
        one.rows.form.entities[place.table].table, other.rows.form.entities[partner.table].table
      )
      guard table == found, let index = one.tables[place.table].index(of: place.id) else {
        return false
      }
      if let known = partners[place.table][index] { return known == partner.id }
      guard let other = other.tables[partner.table].index(of: partner.id),
        !met[partner.table][other]
      else { return false }
      partners[place.table][index] = partner.id
      met[partner.table][other] = true
      pending.append((place, partner))
      return true
    }
  }
}
