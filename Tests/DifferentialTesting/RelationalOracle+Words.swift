import Foundation

/// What stands in a place, in words: as it is archived, and as the store has it.
extension RelationalOracle {
  struct Reference {
    var table: String?
    var row: Int64?
  }

  private static let deepest = 6

  /// What is archived, in words.
  func words(_ content: Content, _ file: Int, _ depth: Int) -> String {
    switch content {
    case .none, .null: return "nothing"
    case .leaf(let leaf, _): return "\(leaf.cell)"
    case .object(let number):
      let object = Place(file: file, number: number)
      return "\(graph.object(object).className) \(file)/\(number)"
    case .collection(let number):
      guard depth < Self.deepest else { return "…" }
      let collection = graph.collection(number, file)
      return list(elements(of: collection, file, depth + 1), collection.kind.isOrdered)
    }
  }

  func elements(
    of collection: ArchivedCollection, _ file: Int, _ depth: Int
  ) -> [String] {
    let values = collection.elements.map { words($0, file, depth) }
    guard collection.kind.isKeyed else { return values }
    return zip(collection.keys, values).map { "\(words($0, file, depth)): \($1)" }
  }

  func list(_ elements: [String], _ isOrdered: Bool) -> String {
    isOrdered
      ? "[\(elements.joined(separator: ", "))]" : "{\(elements.sorted().joined(separator: ", "))}"
  }

  /// What a cell and a reference hold, in words.
  func words(_ cell: Cell, _ reference: Reference, _ depth: Int) -> String {
    guard let row = reference.row else {
      return cell.isNull ? "nothing" : "\(Self.plain(cell))"
    }
    guard cell.isNull else { return "\(cell) and row \(row)" }
    guard let table = reference.table else { return "row \(row) of no table" }
    if table == "_collection" { return collectionWords(row, depth) }
    guard let place = places[table]?[row] else { return "row \(row) of \(table)" }
    return "\(graph.object(place).className) \(place.file)/\(place.number)"
  }

  /// A text with attributes is JSON in some places: its text counts.
  private static func plain(_ cell: Cell) -> Cell {
    guard let text = cell.text, text.hasPrefix(#"{"class":"NSAttributedString""#),
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let plain = object["text"] as? String
    else { return cell }
    return .text(plain)
  }

  private func collectionWords(_ row: Int64, _ depth: Int) -> String {
    guard depth < Self.deepest else { return "…" }
    guard let table = store["_collection"], let elements = store["_collection_element"],
      let kind = table.rows.first(where: { $0[0].integer == row }).map({ table.cell("kind", $0) })
    else { return "collection \(row), which is not there" }
    let isOrdered = ["array", "ordered set", "orderedSet"].contains(kind.text)
    let isKeyed = ["dictionary", "counted set", "countedSet"].contains(kind.text)
    let found = elements.rows.filter { elements.cell("collection_id", $0).integer == row }
    return list(
      words(found, elements, owner: 0, isOrdered: isOrdered, isKeyed: isKeyed, depth + 1),
      isOrdered)
  }

  /// The rows of a table of elements, in words.
  func words(
    _ found: [[Cell]], _ table: StoreTables.StoredTable, owner: Int, isOrdered: Bool, isKeyed: Bool,
    _ depth: Int
  ) -> [String] {
    var rows = found
    if isOrdered {
      rows.sort {
        (table.cell("position", $0).integer ?? -1) < (table.cell("position", $1).integer ?? -1)
      }
      let positions = rows.map { table.cell("position", $0).integer }
      if positions != (0..<rows.count).map({ Int64($0) }) { return ["positions \(positions)"] }
    }
    // Runs that add to a store may have brought rows of other entities: a column for each.
    let destinations = table.columns.indices.filter {
      $0 != owner && $0 > 0 && table.references[$0] != nil
        && !["value_id", "key_id"].contains(table.columns[$0])
    }
    return rows.map { row in
      func reference(_ name: String) -> Reference {
        let type =
          table.cell("\(name)_type", row).text
          ?? table.column("\(name)_id").flatMap { table.references[$0] }
        return Reference(table: type, row: table.cell("\(name)_id", row).integer)
      }
      var value = reference("value")
      if let destination = destinations.first(where: { !row[$0].isNull }) {
        value = Reference(table: table.references[destination], row: row[destination].integer)
      }
      let words = self.words(table.cell("value", row), value, depth)
      let key = self.words(table.cell("key", row), reference("key"), depth)
      return isKeyed ? "\(key): \(words)" : key == "nothing" ? words : "key \(key): \(words)"
    }
  }
}
