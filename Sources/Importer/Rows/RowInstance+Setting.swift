import ArchiveReader
import Foundation

// Values of the types that attributes have go straight into the slots of the row.
extension RowInstance {
  func set(_ value: Bool?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Int64?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Double?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Decimal?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: String?, for name: String) { set(value, for: name) { $0.set($1, $2, .text) } }
  func set(_ value: Date?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Data?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: UUID?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: URL?, for name: String) {
    set(value, for: name) { $0.set($1, $2.absoluteString, .url) }
  }

  /// Sets a property to a value, which goes into the slots if it is the attribute that was set at
  /// the same place of the row before.
  @inline(__always)
  private func set<Value: ImportValueConvertible>(
    _ value: Value?, for name: String, _ store: (inout RowSlots, Int, Value) -> Void
  ) {
    let index = order.index(of: name, after: lastSet)
    guard index >= 0, context.plan.migration == nil else {
      return context.set(ImportValue(value), for: name, in: self)
    }
    if let value { store(&slots, index, value) } else { slots.setNull(index) }
    lastSet = index
    if isWritten || !isPending { context.noteSet(index, in: self) }
  }
}
