import Foundation

/// The parts of one archived object, by key, read by the type that stands for its class.
///
/// A value is given only if nothing of the object is lost. So the reader notes which keys were
/// asked for, and whether each part was of the type that was asked for; see `isComplete`. Numbers
/// are read as real archives vary: a whole real as an integer, an integer as a real, 0 and 1 as a
/// boolean. Whether a part stood in the object or after a reference does not matter. Nil is the
/// same as no part.
struct PartReader {
  /// The name of the class, as archived.
  let className: String
  private var unread: [String: UnarchivedValue]
  /// The weights of the elements of arrays, by key.
  private let elementWeights: [String: [ValueWeight]]
  private(set) var weight: ValueWeight
  private var isSound = true

  init(
    className: String, parts: [String: UnarchivedValue],
    elementWeights: [String: [ValueWeight]] = [:], weight: ValueWeight = ValueWeight(parts: 1)
  ) {
    self.className = className
    self.elementWeights = elementWeights
    self.weight = weight
    unread = parts
  }

  /// True if all parts had the type that was asked for, and all keys were read but those with nil.
  var isComplete: Bool { isSound && unread.values.allSatisfy { $0 == .null } }

  // MARK: Any part

  /// Any value.
  mutating func any(_ keys: String...) -> UnarchivedValue? {
    take(keys) { $0 }
  }

  /// Values of one key or another, if they are what a function makes of them.
  ///
  /// Two keys for one part must hold the same.
  mutating func take<Part: Equatable>(
    _ keys: [String], _ convert: (UnarchivedValue) -> Part?
  ) -> Part? {
    var found: Part?
    for key in keys {
      guard let value = unread.removeValue(forKey: key), value != .null else { continue }
      guard let part = convert(value), found == nil || found == part else {
        isSound = false
        return nil
      }
      found = part
    }
    return found
  }

  /// Notes that something does not fit.
  mutating func refuse() {
    isSound = false
  }

  /// True if a key is there and has not been read.
  func has(_ key: String) -> Bool { unread[key] != nil }

  // MARK: Plain parts

  mutating func text(_ keys: String...) -> String? {
    take(keys) { $0.text }
  }

  mutating func bool(_ keys: String...) -> Bool? {
    take(keys) { $0.flag }
  }

  mutating func integer(_ keys: String...) -> Int? {
    take(keys) { $0.wholeNumber }
  }

  mutating func real(_ keys: String...) -> Double? {
    take(keys) { $0.number }
  }

  mutating func data(_ keys: String...) -> Data? {
    take(keys) { if case .data(let data) = $0 { data } else { nil } }
  }

  mutating func array(_ keys: String...) -> [UnarchivedValue]? {
    take(keys) { if case .array(let elements) = $0 { elements } else { nil } }
  }

  // MARK: Parts of Foundation's classes

  /// A value of another class, whichever.
  mutating func foundation(_ keys: String...) -> FoundationValue? {
    take(keys) { $0.foundationValue }
  }

  /// A value of a class, by the first name of those that are archived alike.
  mutating func value(of kind: String, _ key: String) -> FoundationValue? {
    take([key]) { $0.foundationValue?.kind == kind ? $0.foundationValue : nil }
  }

  /// A value of one type.
  mutating func part<Part: FoundationObject>(_ type: Part.Type, _ keys: String...) -> Part? {
    take(keys) { $0.foundationValue?.as(type) }
  }

  /// An array of values of one type.
  mutating func parts<Part: FoundationObject>(_ type: Part.Type, _ keys: String...) -> [Part]? {
    take(keys) { value in
      guard case .array(let elements) = value else { return nil }
      let parts = elements.compactMap { $0.foundationValue?.as(type) }
      return parts.count == elements.count ? parts : nil
    }
  }

  /// The values that were encoded without keys: "$0", "$1" and so on.
  mutating func unkeyed() -> [UnarchivedValue] {
    var values: [UnarchivedValue] = []
    while let value = unread.removeValue(forKey: "$\(values.count)") { values.append(value) }
    return values
  }

  /// The parts whose keys have a prefix, by what follows it.
  mutating func rest(withPrefix prefix: String) -> [String: UnarchivedValue]? {
    var rest: [String: UnarchivedValue] = [:]
    for key in unread.keys where key.hasPrefix(prefix) && key != prefix {
      rest[String(key.dropFirst(prefix.count))] = unread.removeValue(forKey: key)
    }
    return rest.isEmpty ? nil : rest
  }

  // MARK: Weight

  /// The weights of the elements of the array under a key.
  func weights(ofElementsUnder key: String) -> [ValueWeight] { elementWeights[key] ?? [] }

  /// Adds the weight of a value that occurs more than once.
  mutating func grow(by more: ValueWeight) {
    weight.add(more)
  }
}

extension UnarchivedValue {
  /// The value as a boolean, if it is one, or 0 or 1.
  var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The value as an integer, if it is a whole number.
  var wholeNumber: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value as a floating-point number, if it is one exactly.
  var number: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }
}
