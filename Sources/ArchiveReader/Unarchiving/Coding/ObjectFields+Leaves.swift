// Values as most archives hold them, without the detour by an `ArchivedValue`.
//
// Each gives nil for a key that is not asked for in the usual order, and for a value of any other
// form: then nothing counts as read, and `plainValue` or `field` has to be asked.
extension ObjectFields {
  /// The text under a key that refers to one.
  package mutating func text(_ key: String, _ reader: inout ObjectReader) -> Text? {
    let position = orderedPosition(of: key)
    guard position >= 0, let text = reader.referredText(reader.table[values, position]) else {
      return nil
    }
    noteRead(position)
    return text
  }

  /// The real number that stands under a key.
  package mutating func real(_ key: String, _ table: NodeTable) -> Double? {
    let position = orderedPosition(of: key)
    guard position >= 0, let number = table.real(of: table[values, position]) else { return nil }
    noteRead(position)
    return number
  }

  /// The whole number that stands under a key.
  package mutating func integer(_ key: String, _ table: NodeTable) -> Int64? {
    let position = orderedPosition(of: key)
    guard position >= 0, let number = table.integer(of: table[values, position]) else {
      return nil
    }
    noteRead(position)
    return number
  }

  /// The truth that stands under a key.
  package mutating func bool(_ key: String, _ table: NodeTable) -> Bool? {
    let position = orderedPosition(of: key)
    guard position >= 0, let truth = table.bool(of: table[values, position]) else { return nil }
    noteRead(position)
    return truth
  }
}
