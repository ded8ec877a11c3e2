import Foundation

// Values of these types are set without a detour by an `ImportValue`, where an attribute is set.

extension Bool {
  /// Sets a property of a row.
  public static func set(_ value: Bool?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension Int {
  /// Sets a property of a row.
  public static func set(_ value: Int?, for name: String, in instance: DestinationInstance) {
    Int64.set(value.map(Int64.init), for: name, in: instance)
  }
}

extension Int64 {
  /// Sets a property of a row.
  public static func set(_ value: Int64?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension Double {
  /// Sets a property of a row.
  public static func set(_ value: Double?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension Decimal {
  /// Sets a property of a row.
  public static func set(_ value: Decimal?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension String {
  /// Sets a property of a row.
  public static func set(_ value: String?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value, .text)
    instance.noteSet(number)
  }
}

extension Date {
  /// Sets a property of a row.
  public static func set(_ value: Date?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension Data {
  /// Sets a property of a row.
  public static func set(_ value: Data?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension UUID {
  /// Sets a property of a row.
  public static func set(_ value: UUID?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value)
    instance.noteSet(number)
  }
}

extension URL {
  /// Sets a property of a row.
  public static func set(_ value: URL?, for name: String, in instance: DestinationInstance) {
    let number = instance.attribute(name)
    guard number >= 0, let value else { return instance.set(ImportValue(value), number, name) }
    instance.slots.set(number, value.absoluteString, .url)
    instance.noteSet(number)
  }
}

extension DestinationInstance {
  /// The number of the attribute that is to be set, if it is the one that was set at the same place
  /// of the row before; -1 for any other.
  @inline(__always)
  fileprivate func attribute(_ name: String) -> Int { order.number(of: name, after: lastSet) }

  /// Notes that an attribute was set.
  @inline(__always)
  fileprivate func noteSet(_ number: Int) {
    lastSet = number
    if isWritten || !isOpen { context.noteSet(number, in: self) }
  }

  /// Sets a property that may be another, or of which nothing is said.
  fileprivate func set(_ value: ImportValue, _ number: Int, _ name: String) {
    guard number >= 0 else { return context.set(value, for: name, in: self) }
    slots.set(number, value)
    noteSet(number)
  }
}
