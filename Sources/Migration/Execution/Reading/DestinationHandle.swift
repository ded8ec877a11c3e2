import DataModel

/// A destination object as it stands in the values of an expression: see `ObjectHandle`.
enum DestinationHandle {
  private static let entity = -2

  static func value(_ number: Int) -> ImportValue { .row(reference(number)) }

  static func reference(_ number: Int) -> RowReference {
    RowReference(entity: entity, id: Int64(number))
  }

  static func number(of reference: RowReference) -> Int? {
    reference.entity == entity ? Int(exactly: reference.id) : nil
  }

  /// The destination objects whose handles a value is, or has as elements.
  static func numbers(in value: ImportValue) -> [Int] {
    switch value {
    case .row(let row): number(of: row).map { [$0] } ?? []
    case .list(let values), .set(let values): values.flatMap(numbers)
    default: []
    }
  }
}
