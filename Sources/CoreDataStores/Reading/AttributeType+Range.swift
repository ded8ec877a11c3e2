import DataModel
import GraphCore

/// The numbers that attributes hold, whatever kind of store they are in.
extension AttributeType {
  /// Refuses an integer that no attribute of the type holds.
  ///
  /// - Throws: `ArchiveError` with the code `outOfRange`, without a position.
  func check(_ integer: Int64) throws(ArchiveError) {
    let (range, name): (ClosedRange<Int64>, String)
    switch self {
    case .boolean: (range, name) = (0...1, "a Boolean")
    case .integer16:
      (range, name) = (Int64(Int16.min)...Int64(Int16.max), "an integer of 16 bits")
    case .integer32:
      (range, name) = (Int64(Int32.min)...Int64(Int32.max), "an integer of 32 bits")
    default: return
    }
    guard range.contains(integer) else { throw ArchiveError(.outOfRange, name: name) }
  }

  /// Refuses a number that no attribute of the type holds: one beyond single precision.
  ///
  /// - Throws: `ArchiveError` with the code `outOfRange`, without a position.
  func check(_ real: Double) throws(ArchiveError) {
    guard self == .float, real.isFinite, !Float(real).isFinite else { return }
    throw ArchiveError(.outOfRange, name: "a number of single precision")
  }
}
