import DataModel

/// A destination object as it stands in the values of an expression: see `ObjectHandle`.
enum DestinationHandle {
  private static let entity = -2

  static func value(_ index: Int) -> ImportValue { .row(reference(index)) }

  static func reference(_ index: Int) -> RowReference {
    RowReference(entity: entity, id: Int64(index))
  }

  static func index(of reference: RowReference) -> Int? {
    reference.entity == entity ? Int(exactly: reference.id) : nil
  }

  /// The destination objects whose handles a value is, or has as elements.
  static func indices(in value: ImportValue) -> [Int] {
    switch value {
    case .row(let row): index(of: row).map { [$0] } ?? []
    case .list(let values), .set(let values): values.flatMap(indices)
    default: []
    }
  }
}
