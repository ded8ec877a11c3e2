import Foundation

/// Integers of seven bits to the byte, the lowest first; the eighth bit says that more follow.
///
/// Foundation packs the ranges of index sets and the runs of attributed texts so
/// (swift-corelibs-foundation, NSKeyedArchiverHelpers.swift).
package enum PackedIntegers {
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

  /// The bytes for integers that are not negative.
  package static func bytes(_ integers: [Int]) -> [UInt8] {
    integers.flatMap { integer in
      var bytes: [UInt8] = []
      var rest = UInt(bitPattern: integer)
      repeat {
        let bits = UInt8(truncatingIfNeeded: rest & 0x7F)
        rest >>= 7
        bytes.append(rest == 0 ? bits : bits | 0x80)
      } while rest > 0
      return bytes
    }
  }
}
