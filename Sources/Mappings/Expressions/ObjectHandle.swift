import DataModel

/// The form of archived objects in values.
package enum ObjectForm: Sendable {
  /// The rows that they become.
  case row
  /// Handles: see `ObjectHandle`.
  case handle
  /// Dictionaries with the class under `$class`, and what is under their keys.
  ///
  /// An object inside of itself is `{"$up": N}`: the Nth of the objects around it, from inside out.
  case dictionary(inside: [Int])
}

/// An archived object as it stands in the values of an expression: a row that is none, so that a
/// filter that looks at an object does not make it one.
package enum ObjectHandle {
  private static let entity = -1

  /// The key of an object's class in its dictionary, which no object has as a key of its own.
  package static let classKey = "$class"
  private static let upKey = "$up"

  /// The value of an object that is one of those around it; nil for any other.
  package static func value(of uid: Int, inside outer: [Int]) -> ImportValue? {
    outer.lastIndex(of: uid).map { place in
      .dictionary([.init(.text(upKey), .integer(Int64(outer.count - place)))])
    }
  }

  /// The handle of an object.
  package static func value(_ uid: Int) -> ImportValue {
    .row(RowReference(entity: entity, id: Int64(uid)))
  }

  /// The object that a reference is the handle of; nil if it is that of a row.
  package static func uid(of reference: RowReference) -> Int? {
    reference.entity == entity ? Int(exactly: reference.id) : nil
  }

  /// The objects whose handles a value is, or has as elements.
  package static func uids(in value: ImportValue) -> [Int] {
    switch value {
    case .row(let row): uid(of: row).map { [$0] } ?? []
    case .list(let values), .set(let values): values.flatMap(uids)
    default: []
    }
  }

  /// A value with others in the place of the handles in it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - body: Tells what stands for an object.
  /// - Returns: The value without handles.
  /// - Throws: The error of the closure.
  package static func replace(
    in value: ImportValue, _ body: (_ uid: Int) throws -> ImportValue
  ) rethrows -> ImportValue {
    switch value {
    case .row(let row): try uid(of: row).map(body) ?? value
    case .list(let values): .list(try values.map { try replace(in: $0, body) })
    case .set(let values): .set(try values.map { try replace(in: $0, body) })
    case .dictionary(let pairs):
      .dictionary(
        try pairs.map {
          ImportValue.Pair(try replace(in: $0.key, body), try replace(in: $0.value, body))
        })
    default: value
    }
  }
}
