import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// An archived object of a test: its class, and its values under their keys.
struct GraphObject {
  /// What stands under a key.
  enum Value {
    case plain(PropertyListValue)
    case date(Double)
    /// Another object, by its number in the archive.
    case one(Int)
    case array([Int])
    case set([Int])
    case null
  }

  var className: String
  var values: [(String, Value)]

  init(_ className: String, _ values: KeyValuePairs<String, Value> = [:]) {
    self.className = className
    self.values = values.map { ($0.key, $0.value) }
  }
}

extension KeyedArchiveBuilder {
  /// An archive whose root is the array of some objects: they get their rows in this order.
  static func graph(_ objects: GraphObject...) -> KeyedArchiveBuilder { graph(objects) }

  static func graph(_ objects: [GraphObject]) -> KeyedArchiveBuilder {
    .archive { archive in
      let slots = objects.map { _ in archive.reserve() }
      for (object, slot) in zip(objects, slots) {
        let pairs = object.values.map { key, value in
          let value: PropertyListValue =
            switch value {
            case .plain(.string(let text)): archive.string(text)
            case .plain(let value): value
            case .date(let seconds): archive.date(secondsSince2001: seconds)
            case .one(let number): slots[number].reference
            case .array(let numbers): archive.array(numbers.map { slots[$0].reference })
            case .set(let numbers): archive.set(numbers.map { slots[$0].reference })
            case .null: .none
            }
          return KeyValue(key, value)
        }
        archive.fill(slot, className: object.className, pairs)
      }
      return archive.array(slots.map(\.reference))
    }
  }
}

extension ConvertedStore {
  /// Converts archives with a model.
  init(
    _ model: Model, _ archives: [KeyedArchiveBuilder], hooks: [any ImportHook.Type] = [],
    avoidsPlainRows: Bool = false
  ) throws {
    try self.init(archives) { options in
      options.model = model
      options.extensions.hooks = hooks
      options.avoidsPlainRows = avoidsPlainRows
    }
  }

  /// The conflicts: "sidesDisagree Note 2 folder".
  var conflicts: [String] {
    report.conflicts.map { "\($0.code) \($0.entity) \($0.row) \($0.property)" }
  }
}
