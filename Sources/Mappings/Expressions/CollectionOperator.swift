import DataModel

/// The operators that stand in key paths: `items.@sum.price`.
package enum CollectionOperator: String, Sendable, CaseIterable {
  case count
  case sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case unionOfObjects
  case distinctUnionOfObjects
  case unionOfArrays
  case distinctUnionOfArrays
  case unionOfSets
  case distinctUnionOfSets

  /// The result for what the elements of a collection have under the rest of the path.
  func callAsFunction(
    _ values: [ImportValue], isSet: Bool
  ) throws(ExpressionFailure) -> ImportValue {
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return try Statistics.sum(values)
    // As in Foundation, an element without a value counts as 0 here.
    case .average: return try Statistics.average(values.map { $0.isNull ? .integer(0) : $0 })
    case .minimum: return try Statistics.extreme(values, .ascending)
    case .maximum: return try Statistics.extreme(values, .descending)
    case .unionOfObjects, .distinctUnionOfObjects:
      let present = values.filter { !$0.isNull }
      let isDistinct = isSet || self == .distinctUnionOfObjects
      let union = isDistinct ? ComparisonKey.distinct(present) : present
      return isSet ? .set(union) : .list(union)
    case .unionOfArrays, .distinctUnionOfArrays:
      let union = try Self.joined(values)
      return .list(self == .unionOfArrays ? union : ComparisonKey.distinct(union))
    case .unionOfSets, .distinctUnionOfSets:
      return .set(ComparisonKey.distinct(try Self.joined(values)))
    }
  }

  private static func joined(_ values: [ImportValue]) throws(ExpressionFailure) -> [ImportValue] {
    var joined: [ImportValue] = []
    for value in values {
      joined += try value.elements.filter { !$0.isNull }
    }
    return joined
  }
}

extension ImportValue {
  /// The elements of a collection; none if it is nil.
  var elements: [ImportValue] {
    get throws(ExpressionFailure) {
      switch self {
      case .null: []
      case .list(let elements), .set(let elements): elements
      default: throw ExpressionFailure(.notACollection, name: kind)
      }
    }
  }
}
