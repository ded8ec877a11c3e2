import DataModel

extension RelationalLayout.Builder {
  /// Makes a table of elements, column by column.
  struct ElementTableBuilder {
    private var result: RelationalLayout.ElementTable
    private var names = Self.makeNames()

    private static func makeNames() -> NameAllocator {
      NameAllocator(reserved: [Table.Column.id.name])
    }

    /// The name of the column that refers to the row of an entity that holds the elements.
    static func ownerColumn(_ owner: String) -> String {
      var names = makeNames()
      return names.allocate(owner + "_id")
    }

    init(owner: String, table: Table) {
      let column = Table.Column(
        name: names.allocate(owner + "_id"), type: .integer, isRequired: true,
        references: table.name, referencedKey: table.key)
      result = RelationalLayout.ElementTable(
        table: Table(name: "", columns: [column], numbersRows: true))
    }

    mutating func addPosition() { result.position = add("position", .integer) }
    mutating func addKey(_ type: Table.ColumnType) { result.key = add("key", type) }
    mutating func addValue(_ type: Table.ColumnType) { result.value = add("value", type) }

    /// The columns of decimal keys and values as numbers, after all others.
    mutating func addNumbers(ofKeys: Bool, ofValues: Bool) {
      for case let column? in [ofKeys ? result.key : nil, ofValues ? result.value : nil] {
        let name = result.table.columns[column].name
        result.table.columns.append(
          Table.Column(name: names.allocate(name + "_number"), type: .real, numberOf: name))
      }
    }

    mutating func addKeyReference() {
      result.keyReference = add("key_id", .integer)
      result.keyType = add("key_type", .text)
    }

    /// References to the rows of one table.
    mutating func addReference(named name: String, to table: Table) {
      result.reference = add(name + "_id", .integer, references: table)
    }

    /// References to the rows of several tables, and to collections.
    mutating func addReference() {
      result.reference = add("value_id", .integer)
      result.referenceType = add("value_type", .text)
    }

    consuming func finish(_ name: String) -> RelationalLayout.ElementTable {
      result.table.name = name
      return result
    }

    private mutating func add(
      _ name: String, _ type: Table.ColumnType, references: Table? = nil
    ) -> Int {
      result.table.columns.append(
        Table.Column(name: names.allocate(name), type: type, references: references))
      return result.table.columns.count - 1
    }
  }
}
