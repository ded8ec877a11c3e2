import ArchiveReader
import DataModel
import Foundation
import GraphCore

extension BinaryStoreSource.Reader {
  /// Reads the values in the rows of binary stores, as the model says.
  ///
  /// Booleans and integers are numbers, decimals, dates, UUIDs and URLs objects of their classes,
  /// nil is an NSNull; transformable values are the objects themselves.
  struct Value {
    private let graph: ArchiveGraph
    private let bytes: AtomicBytes

    init(_ graph: ArchiveGraph, in bytes: AtomicBytes) {
      (self.graph, self.bytes) = (graph, bytes)
    }

    /// The value at a position of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position.
    ///   - type: The type of the attribute there.
    /// - Returns: The value.
    /// - Throws: `ArchiveError` with the code `wrongKind` if it is not of the type, `outOfRange` if
    ///   it is a number that the type does not hold.
    func value(
      of row: GraphElements, at position: Int, as type: AttributeType
    ) throws(ArchiveError) -> AtomicObjects.Value {
      let value = try graph.value(of: row, at: position)
      switch value {
      case .null, .nsNull: return .plain(.null)
      default: break
      }
      switch type {
      case .transformable, .undefined, .objectID, .composite, .json, .attributedText, .mixed,
        .unknown:
        return try object(value, uid: graph.reference(of: row, at: position))
      case .uri:
        if case .relativeURL(let uid) = value { return .archived(uid) }
        return .plain(try Self.url(value))
      case .uuid: return .plain(try uuid(value))
      default: return .plain(try Self.plain(value, as: type))
      }
    }

    /// A value of a type that is kept as an object.
    private func object(_ value: GraphValue, uid: Int?) throws(ArchiveError) -> AtomicObjects.Value
    {
      if let uid { return .archived(uid) }
      switch value {
      case .collection(.inline(let index), let kind): return .archivedCollection(index, kind)
      case .object, .foundation, .collection, .relativeURL, .className: throw Self.wrong("a value")
      default: return .plain(value)
      }
    }

    private static func plain(
      _ value: GraphValue, as type: AttributeType
    ) throws(ArchiveError) -> GraphValue {
      switch (type, value) {
      case (.boolean, .bool), (.integer, .integer), (.double, .real), (.decimal, .decimal),
        (.string, .text), (.date, .date), (.binary, .data):
        return value
      case (.boolean, .integer(let number)) where number == 0 || number == 1:
        return .bool(number == 1)
      case (.boolean, _): throw wrong("a boolean")
      case (.integer16, _), (.integer32, _), (.integer, _):
        guard let number = number(value)?.integer else { throw wrong("an integer") }
        try type.check(number)
        return .integer(number)
      case (.float, .real(let number)):
        try type.check(number)
        return value
      case (.float, _), (.double, _), (.date, _):
        guard let number = number(value) else {
          throw wrong(type == .date ? "a date" : "a number")
        }
        try type.check(number.real)
        return type == .date ? .date(number.real) : .real(number.real)
      case (.decimal, .real(let number)) where number.isNaN: return .decimal(.notANumber)
      case (.decimal, _):
        guard let number = number(value), let decimal = ArchivedDecimal(text: number.text) else {
          throw wrong("a decimal number")
        }
        return .decimal(decimal)
      case (.string, _): throw wrong("a text")
      case (.binary, _): throw wrong("data")
      default: throw wrong("of the type \(type.rawValue)")
      }
    }

    /// The number that a value of another class is, exactly.
    private static func number(_ value: GraphValue) -> ExactNumber? {
      switch value {
      case .bool(let value): ExactNumber(value ? 1 : 0 as Int64)
      case .integer(let number): ExactNumber(number)
      case .wideInteger(let wide): ExactNumber(text: "\(wide.value)")
      case .real(let number): ExactNumber(number)
      case .decimal(let decimal): ExactNumber(text: decimal.text)
      default: nil
      }
    }

    private static func url(_ value: GraphValue) throws(ArchiveError) -> GraphValue {
      switch value {
      case .url: return value
      case .text(let text) where text.encoding == .utf8: return .url(text)
      default: throw wrong("a URL")
      }
    }

    private func uuid(_ value: GraphValue) throws(ArchiveError) -> GraphValue {
      switch value {
      case .uuid: return value
      case .data(let data) where data.count == 16: return .uuid(data)
      case .text(let text):
        guard let uuid = UUID(uuidString: text.string) else { throw Self.wrong("a UUID") }
        return .uuid(bytes.add(uuid.bytes))
      default: throw Self.wrong("a UUID")
      }
    }

    private static func wrong(_ name: String) -> ArchiveError {
      ArchiveError(.wrongKind, name: name)
    }
  }
}
