import DataModel
import GraphCore

// Values of destination objects, on their way into the file of records.
extension StoreMigrationEngine {
  /// Sets an attribute.
  func set(_ value: ImportValue, at position: Int, of index: Int) throws(MigrationError) {
    guard let entity = state.entity(of: index) else {
      throw MigrationError(.deletedObject, name: "\(index)")
    }
    guard position < state.program.destination.entities[entity].attributeCount else { return }
    let type = state.program.destination.entities[entity].attributeTypes[position]
    func name() -> String { state.program.destination.entities[entity].keys[position] }
    guard let fitted = value.fitted(to: type), fitted.isStorable else {
      throw MigrationError(
        .unsuitableValue, property: name(), name: "\(name()) cannot hold a \(value.kind)")
    }
    guard unsafe index >= state.plainCount else {
      throw MigrationError(
        .unsuitableValue, property: name(),
        name: "an object of an entity mapping without a policy cannot be changed")
    }
    guard !identities.isEmpty else { return pending.set(fitted, at: position, of: index) }
    try reindexing(name(), of: index) { pending.set(fitted, at: position, of: index) }
  }

  /// Writes what has been set into the file.
  func flush() throws(MigrationError) {
    guard !pending.isEmpty else { return }
    let records: RecordFile
    if let known = state.records {
      records = known
    } else {
      records = try RecordFile()
      state.records = records
    }
    try pending.removeAll { (index, values) throws(MigrationError) in
      let place = unsafe index - state.plainCount
      guard unsafe state.made.indices.contains(place), unsafe !state.made[place].isDeleted else {
        return
      }
      let record = unsafe state.made[place].record
      let all = record < 0 ? values : try merged(values, withRecordAt: record)
      unsafe state.made[place].record = try records.append(all)
    }
  }

  /// Values with those of a record that they do not replace.
  private func merged(
    _ values: PendingValues.Values, withRecordAt place: Int
  ) throws(MigrationError) -> PendingValues.Values {
    var all: [Int: ImportValue]
    do throws(ArchiveError) {
      all = try graph.record(at: place)
    } catch {
      throw MigrationError(.noRoom, name: "\(error)")
    }
    for (position, value) in values { all[position] = value }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension ImportValue {
  /// Whether a record can hold it: see `ValueRecord`.
  var isStorable: Bool {
    switch self {
    case .foundation, .row, .list, .set, .dictionary: false
    default: true
    }
  }
}
