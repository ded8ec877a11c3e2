import Foundation

// Rows may keep values of these types without a detour by an `ImportValue`: see `DestinationRow`.

extension Bool {
  /// Sets a property of a row.
  public static func set(_ value: Bool?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
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
    instance.row.set(value, for: name)
  }
}

extension Double {
  /// Sets a property of a row.
  public static func set(_ value: Double?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension Decimal {
  /// Sets a property of a row.
  public static func set(_ value: Decimal?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension String {
  /// Sets a property of a row.
  public static func set(_ value: String?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension Date {
  /// Sets a property of a row.
  public static func set(_ value: Date?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension Data {
  /// Sets a property of a row.
  public static func set(_ value: Data?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension UUID {
  /// Sets a property of a row.
  public static func set(_ value: UUID?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}

extension URL {
  /// Sets a property of a row.
  public static func set(_ value: URL?, for name: String, in instance: DestinationInstance) {
    instance.row.set(value, for: name)
  }
}
