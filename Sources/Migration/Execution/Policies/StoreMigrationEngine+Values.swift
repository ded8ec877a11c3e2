import DataModel
import GraphCore

// Values of destination objects, on their way into the file of records.
extension StoreMigrationEngine {
  func set(_ value: ImportValue, at position: Int, of number: Int) throws(MigrationError) {
    guard let entity = state.entity(of: number) else {
      throw MigrationError(.deletedObject, name: "\(number)")
    }
    let property = state.program.destination.entities[entity].properties[position]
    guard case .attribute(let attribute) = property.content else { return }
    guard let fitted = value.fitted(to: attribute.type), fitted.isStorable else {
      throw MigrationError(
        .unsuitableValue, property: property.name,
        name: "\(property.name) cannot hold a \(value.kind)")
    }
    guard number >= state.plainCount else {
      throw MigrationError(
        .unsuitableValue, property: property.name,
        name: "an object of an entity mapping without a policy cannot be changed")
    }
    try reindexing(property.name, of: number) {
      pending[number, default: [:]][position] = fitted
    }
  }

  /// A value that has been set since the callback began.
  func pendingValue(at position: Int, of number: Int) -> ImportValue? {
    pending[number]?[position]
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
    for (number, values) in pending.sorted(by: { $0.key < $1.key }) {
      let place = number - state.plainCount
      guard state.made.indices.contains(place), !state.made[place].isDeleted else { continue }
      var all = values
      if state.made[place].record >= 0 {
        do throws(ArchiveError) {
          all.merge(try graph.record(at: state.made[place].record)) { new, _ in new }
        } catch {
          throw MigrationError(.noRoom, name: "\(error)")
        }
      }
      state.made[place].record = try records.append(ValueRecord.bytes(all))
    }
    pending.removeAll(keepingCapacity: true)
    graph.forgetRecords()
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
