import TestSupport

/// All rows of a store, read with SQL.
struct StoreTables {
  struct StoredTable {
    var name: String
    var columns: [String]
    /// For columns that reference a table, its name.
    var references: [Int: String] = [:]
    var rows: [[Cell]] = []
    private let places: [String: Int]

    init(name: String, columns: [String]) {
      self.name = name
      self.columns = columns
      places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    }

    func column(_ name: String) -> Int? { places[name] }

    /// The columns with a name and an ending, or with ones that gave way to others: `title_2`,
    /// `kids_2_id`, `kids_id_2`.
    func columns(_ name: String, ending: String = "") -> [Int] {
      columns.indices.filter { Self.isName(columns[$0], name, ending) }
        .sorted { (columns[$0].count, $0) < (columns[$1].count, $1) }
    }

    /// Whether a name is one that was wanted, or has numbers behind it.
    static func isName(_ name: String, _ wanted: String, _ ending: String = "") -> Bool {
      let ending = ending.lowercased()
      let name = name.lowercased()
      guard name.hasPrefix(wanted.lowercased()) else { return false }
      let rest = name.dropFirst(wanted.count)
      return numbersDropped(rest).contains { rest in
        rest.hasPrefix(ending)
          && numbersDropped(rest.dropFirst(ending.count)).contains { $0.isEmpty }
      }
    }

    /// A text, and what is left of it without the numbers at its start: `_2_3_id`, `_3_id`, `_id`.
    private static func numbersDropped(_ text: Substring) -> [Substring] {
      guard text.hasPrefix("_") else { return [text] }
      let number = text.dropFirst().prefix(while: \.isWholeNumber)
      guard !number.isEmpty else { return [text] }
      return [text] + numbersDropped(text.dropFirst(1 + number.count))
    }

    func cell(_ column: String, _ row: [Cell]) -> Cell { places[column].map { row[$0] } ?? .null }
  }

  private(set) var tables: [String: StoredTable] = [:]

  init(_ store: StoreQuery) throws {
    for name in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(\.[0]) {
      let literal = "'\(name.replacing("'", with: "''"))'"
      let columns = try store.columnsWithContent(of: name).map(\.name)
      var table = StoredTable(name: name, columns: columns)
      for row in try store.rows(
        "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(\(literal))")
      {
        if let column = table.column(row[0]) { table.references[column] = row[1] }
      }
      let list = columns.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        .map { "typeof(\($0)), \($0)" }.joined(separator: ", ")
      let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
      table.rows = try store.rows("SELECT \(list) FROM \(quoted) ORDER BY rowid").map { row in
        stride(from: 0, to: row.count, by: 2).map { Self.cell(row[$0], row[$0 + 1]) }
      }
      tables[name] = table
    }
  }

  subscript(name: String) -> StoredTable? { tables[name] }

  private static func cell(_ kind: String, _ text: String) -> Cell {
    switch kind {
    case "integer": return Int64(text).map { .integer($0) } ?? .null
    case "real": return Double(text).map { .real($0) } ?? .null
    case "text": return .text(text)
    case "blob":
      let digits = text.dropFirst(2).dropLast().compactMap(\.hexDigitValue)
      return .blob(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    default: return .null
    }
  }
}
