import Foundation
import Importer
import Testing

@testable import Mappings

/// A transaction, its currency, and the three items that it consists of.
struct SampleScope: ExpressionScope {
  var now = Date(timeIntervalSinceReferenceDate: 600_000_000)
  var object: [String: ImportValue] = [
    "title": .text("Café"), "note": .null, "number": .integer(7), "rate": .real(2.5),
    "total": .decimal(Decimal(string: "12.30") ?? .nan), "isProcessed": .bool(false),
    "date": .date(Date(timeIntervalSinceReferenceDate: 86_400)),
    "id": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
    "page": .url("https://example.org/a"), "icon": .data(Data([1, 2, 3])),
    "currency": .row(RowReference(entity: 1, id: 1)),
    "items": .list([2, 3, 4].map { .row(RowReference(entity: 2, id: $0)) }),
    "itemSet": .set([2, 3, 4].map { .row(RowReference(entity: 2, id: $0)) }),
    "numbers": .list([.integer(3), .integer(1), .integer(2)]), "empty": .list([]),
    "names": .set([.text("b"), .text("a")]),
    "info": .dictionary([.init(.text("colour"), .text("red")), .init(.integer(1), .text("one"))]),
    "all": .integer(1), "size": .integer(3),
  ]
  var rows: [RowReference: [String: ImportValue]] = [
    RowReference(entity: 1, id: 1): ["code": .text("EUR"), "digits": .integer(2)],
    RowReference(entity: 2, id: 2): [
      "price": .decimal(Decimal(string: "0.10") ?? .nan), "name": .text("Tea"),
      "count": .integer(2),
      "tags": .set([.text("hot"), .text("green")]),
    ],
    RowReference(entity: 2, id: 3): [
      "price": .decimal(Decimal(string: "0.20") ?? .nan), "name": .text("Cup"),
      "count": .integer(1),
      "tags": .set([.text("blue")]),
    ],
    RowReference(entity: 2, id: 4): [
      "price": .null, "name": .text("Tea"), "count": .integer(1),
      "tags": .set([.text("hot"), .text("black")]),
    ],
  ]

  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    if variable == "destination" {
      return path.isEmpty
        ? .row(RowReference(entity: 9, id: 9)) : .text(path.joined(separator: "/"))
    }
    guard variable == nil else {
      throw ExpressionFailure(.unknownVariable, name: variable)
    }
    guard let key = path.first else { return .row(RowReference(entity: 0, id: 1)) }
    guard let value = object[key] else { throw ExpressionFailure(.unknownKey, name: key) }
    return try self.value(forKeys: path.dropFirst(), of: value)
  }

  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue {
    if object.entity == 0 { return try value(forKeyPath: [key], of: nil) }
    guard let value = rows[object]?[key] else {
      throw ExpressionFailure(.unknownKey, name: key)
    }
    return value
  }

  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    guard selector != "missing" else { throw ExpressionFailure(.unknownFunction, name: selector) }
    return .list([.text(variable), .text(selector)] + arguments)
  }

  /// The value of an expression for the transaction.
  static func value(_ format: String) throws -> ImportValue {
    try ValueExpression(parsing: format).evaluate(in: SampleScope())
  }

  /// Expects an expression to have a value for the transaction.
  static func check(_ format: String, _ expected: ImportValue) throws {
    let value = try value(format)
    // Equality is exact: 1 and 1.0 are two values.
    #expect(value == expected, "\(format) is \(value)")
  }
}

extension ImportValue {
  /// The decimal number of a text.
  static func exact(_ text: String) -> ImportValue { .decimal(Decimal(string: text) ?? .nan) }
}
