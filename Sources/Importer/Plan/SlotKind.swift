/// The kind of value that an attribute holds until its row is written: see `RowSlots`.
enum SlotKind: UInt8 {
  case unset, null, bool, integer, real, date, decimal, uuid, text, url, data
  /// A value with a slot of its own.
  case other
}
