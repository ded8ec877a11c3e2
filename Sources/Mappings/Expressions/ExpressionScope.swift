import ArchiveReader
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

/// An archived object as expressions see it: its keys, and those of the objects that it leads to.
package protocol ObjectExpressionScope: ExpressionScope {
  /// The object that expressions begin with.
  var object: GraphObject { get }

  /// The graph that the object is part of.
  var graph: any ObjectGraph { get }

  /// A value of the archive, objects as handles.
  ///
  /// - Throws: The error of reading the archive.
  func valueWithHandles(of value: GraphValue) throws -> ImportValue
}

extension ObjectExpressionScope {
  package func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    guard variable == nil else { throw ExpressionFailure(.unknownVariable, name: variable) }
    guard let key = path.first else { return ObjectHandle.value(object.uid) }
    return try value(forKeys: path.dropFirst(), of: try value(of: key, in: object))
  }

  package func value(
    forKey key: String, of object: RowReference
  ) throws(ExpressionFailure) -> ImportValue {
    guard let uid = ObjectHandle.uid(of: object), let found = try? graph.object(uid) else {
      throw ExpressionFailure(.unknownKey, name: key)
    }
    return try value(of: key, in: found)
  }

  private func value(
    of key: String, in object: GraphObject
  ) throws(ExpressionFailure) -> ImportValue {
    guard let position = graph.position(of: ArchivedName.text(key), in: object) else {
      return .null
    }
    do {
      return try valueWithHandles(of: try graph.value(of: object, at: position))
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the archive is damaged under \(key)")
    }
  }
}

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

/// The keys that plain values have, as the objects of Foundation have them.
///
/// They stand after key paths and collection operators: `name.length`, `prices.@max.doubleValue`.
enum PlainKey {
  /// The value of a plain value's key; nil if it has no such key.
  static func value(
    forKey key: String, of value: ImportValue
  ) throws(ExpressionFailure) -> ImportValue? {
    switch (key, value) {
    case ("self", _): value
    case ("length", .text(let text)): .integer(Int64(text.utf16.count))
    case ("length", .data(let data)): .integer(Int64(data.count))
    case ("lowercaseString", .text(let text)): .text(text.lowercased())
    case ("uppercaseString", .text(let text)): .text(text.uppercased())
    case ("absoluteString", .url(let text)): .text(text)
    case ("UUIDString", .uuid(let uuid)): .text(uuid.uuidString)
    case ("timeIntervalSinceReferenceDate", .date(let date)):
      .real(date.timeIntervalSinceReferenceDate)
    case ("timeIntervalSince1970", .date(let date)): .real(date.timeIntervalSince1970)
    default: try number(forKey: key, of: value)
    }
  }

  private static func number(
    forKey key: String, of value: ImportValue
  ) throws(ExpressionFailure) -> ImportValue? {
    guard let number = NumericValue(value) else { return nil }
    return switch key {
    case "doubleValue", "floatValue": .real(number.real)
    case "intValue", "integerValue", "longLongValue", "shortValue":
      number.exact?.rounded(toScale: 0, .down).integerOrDecimal ?? value
    case "boolValue": .bool(number.real != 0)
    case "decimalValue": try ValueCast.decimal.cast(value)
    case "stringValue": try ValueCast.text.cast(value)
    default: nil
    }
  }
}
