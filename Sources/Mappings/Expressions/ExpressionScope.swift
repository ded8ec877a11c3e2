import DataModel
import Foundation

/// The values and functions that an expression can use, for the object that it is evaluated for.
///
/// The variables are those of Core Data's mapping models: `manager`, `destination`, `entityPolicy`,
/// `entityMapping` and `propertyMapping`. The archived object itself, `$source` or `SELF`, is nil.
package protocol ExpressionScope {
  /// The time that `now()` gives; the same throughout a run.
  var now: Date { get }

  /// The value of a variable's key path; the value of the variable if the path is empty.
  ///
  /// `value(forKeys:of:)` follows a path from a value on, through collections and nil.
  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue

  /// The value that an object has for a key.
  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue

  /// The answer of a variable's function.
  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue
}

extension ExpressionScope {
  /// The value of a key path that starts from a value.
  ///
  /// Nil has nil for all keys. A collection has, for each element, the element's value; in a set,
  /// equal ones are one, and nil is left out.
  package func value(
    forKeys keys: ArraySlice<String>, of start: ImportValue
  ) throws(ExpressionFailure) -> ImportValue {
    var value = start
    for key in keys { value = try self.value(forKey: key, of: value) }
    return value
  }

  private func value(
    forKey key: String, of value: ImportValue
  ) throws(ExpressionFailure) -> ImportValue {
    switch value {
    case .null: return .null
    case .row(let object): return try self.value(forKey: key, of: object)
    case .list(let elements):
      var values: [ImportValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try self.value(forKey: key, of: element)) }
      return .list(values)
    case .set(let elements):
      var values: [ImportValue] = []
      for element in elements {
        let value = try self.value(forKey: key, of: element)
        if !value.isNull { values.append(value) }
      }
      return .set(ComparisonKey.distinct(values))
    case .dictionary(let pairs):
      let key = ComparisonKey(.text(key))
      return pairs.first { ComparisonKey($0.key) == key }?.value ?? .null
    default:
      guard let value = try PlainKey.value(forKey: key, of: value) else {
        throw ExpressionFailure(.noKeys, name: "\(key) of \(value.kind)")
      }
      return value
    }
  }
}
