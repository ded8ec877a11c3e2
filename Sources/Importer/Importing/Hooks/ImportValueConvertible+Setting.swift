import Foundation

// Values of these types are set without a detour by an `ImportValue`, where an attribute is set.

extension Bool {
  /// Sets a property of a row.
  public static func set(_ value: Bool?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
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
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension Double {
  /// Sets a property of a row.
  public static func set(_ value: Double?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension Decimal {
  /// Sets a property of a row.
  public static func set(_ value: Decimal?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension String {
  /// Sets a property of a row.
  public static func set(_ value: String?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2, .text) }
  }
}

extension Date {
  /// Sets a property of a row.
  public static func set(_ value: Date?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension Data {
  /// Sets a property of a row.
  public static func set(_ value: Data?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension UUID {
  /// Sets a property of a row.
  public static func set(_ value: UUID?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2) }
  }
}

extension URL {
  /// Sets a property of a row.
  public static func set(_ value: URL?, for name: String, in instance: DestinationInstance) {
    instance.set(value, for: name) { $0.set($1, $2.absoluteString, .url) }
  }
}

extension DestinationInstance {
  /// Sets a property to a value, which goes into the slots if it is the attribute that was set at the
  /// same place of the row before.
  @inline(__always)
  fileprivate func set<Value: ImportValueConvertible>(
    _ value: Value?, for name: String, _ store: (inout RowSlots, Int, Value) -> Void
  ) {
    let number = order.number(of: name, after: lastSet)
    guard number >= 0 else { return context.set(ImportValue(value), for: name, in: self) }
    if let value { store(&slots, number, value) } else { slots.setNull(number) }
    lastSet = number
    if isWritten || !isOpen { context.noteSet(number, in: self) }
  }
}
