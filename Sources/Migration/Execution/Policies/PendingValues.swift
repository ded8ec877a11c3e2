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
  func value(at position: Int, of number: Int) -> ImportValue? {
    let values = number == last ? values : others[number] ?? []
    return values.first { $0.position == position }?.value
  }

  mutating func set(_ value: ImportValue, at position: Int, of number: Int) {
    if number != last {
      if !values.isEmpty { others[last] = values }
      values = others.removeValue(forKey: number) ?? []
      last = number
    }
    let place = values.firstIndex { $0.position >= position } ?? values.count
    if place < values.count, values[place].position == position {
      values[place].value = value
    } else {
      values.insert((position, value), at: place)
    }
  }

  /// Forgets what was set of an object.
  mutating func remove(_ number: Int) {
    if number == last { values.removeAll() }
    others[number] = nil
  }

  /// Calls a function with each object and its values, the objects by number, and forgets them.
  mutating func removeAll(
    _ body: (_ number: Int, _ values: Values) throws(MigrationError) -> Void
  ) throws(MigrationError) {
    if others.isEmpty {
      if !values.isEmpty { try body(last, values) }
    } else {
      if !values.isEmpty { others[last] = values }
      for number in others.keys.sorted() {
        if let values = others[number] { try body(number, values) }
      }
      others.removeAll()
    }
    values.removeAll(keepingCapacity: true)
  }
}
