/// What an attribute of a row holds until the row is written: see `RowSlots`.
enum SlotKind: UInt8 {
  case unset, null, bool, integer, real, date, decimal, uuid, text, url, data
  /// What has a slot of its own.
  case other
}
