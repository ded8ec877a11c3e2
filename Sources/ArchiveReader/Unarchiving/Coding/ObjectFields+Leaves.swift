// Values as most archives hold them, without the detour by an `ArchivedValue`.
//
// Each gives nil for a key that is not asked for in the usual order, and for a value of any other
// form: then nothing counts as read, and `plainValue` or `field` has to be asked.
extension ObjectFields {
  /// The text under a key that refers to one.
  package mutating func text(_ key: String, _ reader: inout ObjectReader) -> Text? {
    leaf(key, reader.table) { reader.referredText($0) }
  }

  /// The real number that stands under a key.
  package mutating func real(_ key: String, _ table: NodeTable) -> Double? {
    leaf(key, table) { table.real(of: $0) }
  }

  /// The whole number that stands under a key.
  package mutating func integer(_ key: String, _ table: NodeTable) -> Int64? {
    leaf(key, table) { table.integer(of: $0) }
  }

  /// The truth that stands under a key.
  package mutating func bool(_ key: String, _ table: NodeTable) -> Bool? {
    leaf(key, table) { table.bool(of: $0) }
  }

  @inline(__always)
  private mutating func leaf<Value>(
    _ key: String, _ table: NodeTable, _ read: (Node) -> Value?
  ) -> Value? {
    let position = orderedPosition(of: key)
    guard position >= 0, let value = read(table[values, position]) else { return nil }
    noteRead(position)
    return value
  }
}
