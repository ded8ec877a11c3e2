import ArchiveReader
internal import CSQLite
import Stores

extension RepeatComparison {
  /// The roles of the tables and columns of a store that some runs have made.
  package struct Places {
    /// The content of a column.
    fileprivate enum Role {
      case value
      case link
    }

    /// A table of elements: whose they are.
    fileprivate struct Elements {
      var entity: String
      var property: String
      var position: String?
    }

    /// The tables, those of the store itself first.
    private(set) var tables: [String] = []
    private var roles: [String: [String: Role]] = [:]
    private var elements: [String: Elements] = [:]
    /// The tables whose rows SQLite counts.
    private var numberedTables: Set<String> = []
    /// The primary keys of the tables of entities.
    private var keys: [String: String] = [:]
    /// True if archives still have the paths that they had in the run.
    private let comparesPaths: Bool

    /// The columns of a table that are compared.
    struct Form {
      var table: String
      var entity: String
      var names: [String]
      var keyCount: Int
      fileprivate var roles: [Role?]
      fileprivate var elements: Elements?

      /// True if the rows belong to those of another table.
      var isElement: Bool { keyCount > 1 }

      /// The name for a cell, or a row, that differs.
      func property(_ place: Int?, _ row: [RepeatComparison.Cell]?) -> String {
        guard let elements else { return place.map { names[$0] } ?? "" }
        guard let position = elements.position, let row,
          let column = names.firstIndex(of: position), case .integer(let number) = row[column]
        else { return elements.property }
        return "\(elements.property)[\(number)]"
      }

      /// Counts the values and links of a row.
      func count(_ cursor: RowCursor, _ findings: VerificationFindings) {
        for (place, role) in roles.enumerated() {
          guard let role, unsafe cursor[place].kind != csq_kind_null else { continue }
          findings.count(values: role == .value ? 1 : 0, links: role == .link ? 1 : 0)
        }
      }

      /// Counts the values and links of a row.
      func count(_ row: [RepeatComparison.Cell], _ findings: VerificationFindings) {
        for (cell, role) in zip(row, roles) {
          guard let role, cell != .null else { continue }
          findings.count(values: role == .value ? 1 : 0, links: role == .link ? 1 : 0)
        }
      }
    }

    /// - Parameters:
    ///   - layouts: The tables of the runs.
    ///   - comparesPaths: True if archives still have the paths that they had in the run.
    package init(_ layouts: [RelationalLayout], comparesPaths: Bool) {
      self.comparesPaths = comparesPaths
      let own = RelationalLayout.bookkeepingTables(
        withProvenance: true, withNesting: true, withMetadata: true, withOriginals: true)
      tables = own.map(\.name).filter { $0 != RelationalLayout.reportTable }
      numberedTables = Set(own.filter(\.numbersRows).map(\.name))
      roles = [
        RelationalLayout.topTable: ["value": .value],
        RelationalLayout.metadataTable: ["value": .value],
        RelationalLayout.collectionElementTable: ["value": .value, "value_id": .link],
      ]
      for layout in layouts { add(layout) }
    }

    private mutating func add(_ layout: RelationalLayout) {
      for table in layout.tables + layout.elementTables.map(\.table)
      where !tables.contains(table.name) {
        tables.append(table.name)
      }
      for table in layout.tables { keys[table.name] = table.key }
      for entity in layout.entities {
        let table = layout.tables[entity.table]
        for (name, place) in entity.properties {
          if let value = place.value {
            roles[table.name, default: [:]][table.columns[value].name] = .value
          }
          if let reference = place.reference {
            roles[table.name, default: [:]][table.columns[reference].name] = .link
          }
          guard let number = place.elements ?? place.overflow else { continue }
          let elements = layout.elementTables[number]
          let own = elements.table.name
          numberedTables.insert(own)
          self.elements[own] = Elements(
            entity: table.name, property: place.elements == nil ? "" : name,
            position: elements.position.map { elements.table.columns[$0].name })
          for (column, role) in [(elements.value, Role.value), (elements.reference, .link)] {
            guard let column else { continue }
            roles[own, default: [:]][elements.table.columns[column].name] = role
          }
        }
      }
    }

    /// True if a column must be the same if the runs are made again.
    func isCompared(_ column: String, _ table: String) -> Bool {
      switch (table, column) {
      case (RelationalLayout.archiveTable, "converted"),
        // The options name files that may have moved; they are under the seal of the run.
        (RelationalLayout.runTable, "options"), (RelationalLayout.runTable, "fingerprint"):
        false
      case (RelationalLayout.archiveTable, "path"): comparesPaths
      // Where rows are counted, their order tells the same.
      case (_, Table.Column.id.name): !numberedTables.contains(table)
      default: true
      }
    }

    /// The name of the column with the ids of the rows of a table.
    func key(of table: String) -> String { keys[table] ?? Table.Column.id.name }

    /// The form of a table with its columns.
    func form(of table: String, _ names: [String]) -> Form {
      let elements = elements[table]
      let hasKey = names[0] == key(of: table) || table == RelationalLayout.classTable
      return Form(
        table: table, entity: elements?.entity ?? table, names: names,
        keyCount: hasKey ? 1 : min(2, names.count), roles: names.map { roles[table]?[$0] },
        elements: elements)
    }
  }
}
