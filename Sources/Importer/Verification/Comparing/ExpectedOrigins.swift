import ArchiveReader

/// Which objects the rows of an archive must be said to be, in `_objects`.
struct ExpectedOrigins {
  /// What is found of a row.
  enum Answer {
    case right
    /// No object stands behind it.
    case unknown
    /// A column says something else of the object.
    case wrong(uid: Int, column: Int, expected: String)
  }

  private struct Origin: Hashable {
    var uid: Int
    var row: Int64
  }

  private let forecasts: [RowForecast]
  /// For each pass, the objects of which a row was found.
  private var seen: [[Bool]]
  /// The same for those that became several rows, or others' rows.
  private var seenOthers: [Set<Origin>]

  init(_ forecasts: [RowForecast]) {
    self.forecasts = forecasts
    seen = forecasts.map { Array(repeating: false, count: $0.numbers.count) }
    seenOthers = forecasts.map { _ in [] }
  }

  /// Takes a row: its object, class, table and id.
  mutating func take(_ values: [StoredValue]) throws -> Answer {
    guard values.count == 4, case .integer(let found) = values[0], let uid = Int(exactly: found)
    else { return .unknown }
    var answer = Answer.unknown
    for (number, forecast) in forecasts.enumerated() where forecast.numbers.indices.contains(uid) {
      for row in try rows(of: uid, forecast) {
        let isSeen =
          forecast.several[uid] == nil
          ? seen[number][uid] : seenOthers[number].contains(Origin(uid: uid, row: row.id))
        guard !isSeen else { continue }
        let object = try forecast.reader.object(uid)
        let name = forecast.reader.classes[object.class.index].name
        let table = forecast.plan.layout.table(of: row.entity).name
        let expected: [StoredValue] = [values[0], .text(name), .text(table), .integer(row.id)]
        let wrong = expected.indices.first { values[$0] != expected[$0] }
        // Of several rows of an object, the one with the same id is meant.
        if let wrong, values[3] != .integer(row.id), forecast.several[uid] != nil {
          answer = .wrong(uid: uid, column: wrong, expected: expected[wrong].words)
          continue
        }
        if forecast.several[uid] == nil {
          seen[number][uid] = true
        } else {
          seenOthers[number].insert(Origin(uid: uid, row: row.id))
        }
        guard let wrong else { return .right }
        return .wrong(uid: uid, column: wrong, expected: expected[wrong].words)
      }
    }
    return answer
  }

  /// What no row was found of.
  func missing() throws -> [(uid: Int, words: String)] {
    var missing: [(uid: Int, words: String)] = []
    for (number, forecast) in forecasts.enumerated() {
      for uid in forecast.numbers.indices where missing.count < VerificationFindings.mostDifferences
      {
        guard forecast.numbers[uid] != 0 || forecast.several[uid] != nil,
          forecast.several[uid] != nil || !seen[number][uid]
        else { continue }
        for row in try rows(of: uid, forecast)
        where forecast.several[uid] == nil
          || !seenOthers[number].contains(Origin(uid: uid, row: row.id))
        {
          missing.append((uid, "\(forecast.plan.layout.table(of: row.entity).name) \(row.id)"))
        }
      }
    }
    return missing
  }

  /// The rows that a pass has made of an object.
  private func rows(of uid: Int, _ forecast: RowForecast) throws -> [RowReference] {
    if let several = forecast.several[uid] { return several.map(\.reference) }
    guard forecast.numbers[uid] != 0 else { return [] }
    let object = try forecast.reader.object(uid)
    let entity: Int
    switch forecast.classPlan(of: object.class) {
    case .plain(let number, _): entity = number
    case .mapped(let numbers): entity = forecast.pass.entities[numbers[0]].entity
    default: return []
    }
    let table = forecast.plan.layout.entities[entity].table
    return [
      RowReference(entity: entity, id: forecast.firstIDs[table] + Int64(forecast.numbers[uid]))
    ]
  }
}
