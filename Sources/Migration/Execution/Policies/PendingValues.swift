import DataModel

/// The attributes that a callback of a policy has set so far, by object and position.
///
/// Most callbacks set those of one object, which needs no dictionary.
struct PendingValues {
  typealias Values = [(position: Int, value: ImportValue)]

  /// The object that was set last, and its values by position.
  private var last = -1
  private var values: Values = []
  private var others: [Int: Values] = [:]

  var isEmpty: Bool { values.isEmpty && others.isEmpty }

  /// What was set at a position of an object; nil if nothing was.
  func value(at position: Int, of index: Int) -> ImportValue? {
    let values = index == last ? values : others[index] ?? []
    return values.first { $0.position == position }?.value
  }

  mutating func set(_ value: ImportValue, at position: Int, of index: Int) {
    if index != last {
      if !values.isEmpty { others[last] = values }
      values = others.removeValue(forKey: index) ?? []
      last = index
    }
    let place = values.firstIndex { $0.position >= position } ?? values.count
    if place < values.count, values[place].position == position {
      values[place].value = value
    } else {
      values.insert((position, value), at: place)
    }
  }

  /// Forgets what was set of an object.
  mutating func remove(_ index: Int) {
    if index == last { values.removeAll() }
    others[index] = nil
  }

  /// Calls a function with each object and its values, the objects by index, and forgets them.
  mutating func removeAll(
    _ body: (_ index: Int, _ values: Values) throws(MigrationError) -> Void
  ) throws(MigrationError) {
    if others.isEmpty {
      if !values.isEmpty { try body(last, values) }
    } else {
      if !values.isEmpty { others[last] = values }
      for index in others.keys.sorted() {
        if let values = others[index] { try body(index, values) }
      }
      others.removeAll()
    }
    values.removeAll(keepingCapacity: true)
  }
}
