import Foundation

/// Integers of seven bits to the byte, the lowest first; the eighth bit says that more follow.
///
/// Foundation packs the ranges of index sets and the runs of attributed texts so
/// (swift-corelibs-foundation, NSKeyedArchiverHelpers.swift).
enum PackedIntegers {
  /// The integers in some bytes.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: The integers; nil if the last one is cut off, or one is too large.
  static func integers(in data: Data) -> [Int]? {
    var integers: [Int] = []
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in data {
      let bits = UInt64(byte & 0x7F)
      // Nothing may be shifted out at the top.
      guard shift < 64, (bits << shift) >> shift == bits else { return nil }
      value |= bits << shift
      if byte & 0x80 != 0 {
        shift += 7
        continue
      }
      guard let integer = Int(exactly: value) else { return nil }
      integers.append(integer)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? integers : nil
  }
}
