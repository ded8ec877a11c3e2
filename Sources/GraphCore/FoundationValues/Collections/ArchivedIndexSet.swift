import Foundation

/// An NSIndexSet: ranges of indexes.
///
/// The ranges stand under keys of their own where there is one, else as packed numbers
/// (swift-corelibs-foundation, NSIndexSet.swift).
public struct ArchivedIndexSet: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The ranges, in the order of the archive.
  public let ranges: [ArchivedRange]

  static let classNames = ["NSIndexSet", "NSMutableIndexSet"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let count = parts.integer("NSRangeCount") else { return nil }
    if let data = parts.data("NSRangeData") {
      guard let numbers = PackedIntegers.integers(in: data),
        numbers.count.isMultiple(of: 2), numbers.count / 2 == count
      else { return nil }
      ranges = stride(from: 0, to: numbers.count, by: 2).map {
        ArchivedRange(location: numbers[$0], length: numbers[$0 + 1])
      }
      parts.grow(by: ValueWeight(parts: numbers.count))
    } else if count == 1 {
      guard let location = parts.integer("NSLocation"), let length = parts.integer("NSLength")
      else { return nil }
      ranges = [ArchivedRange(location: location, length: length)]
    } else {
      guard count == 0 else { return nil }
      ranges = []
    }
  }
}

/// An NSIndexPath: the way to a node in a tree of arrays.
///
/// The indexes are packed as those of an index set (swift-corelibs-foundation, NSIndexPath.swift).
public struct ArchivedIndexPath: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The indexes, the outermost first.
  public let indexes: [Int]

  static let classNames = ["NSIndexPath"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let count = parts.integer("NSIndexPathLength") else { return nil }
    if let data = parts.data("NSIndexPathData") {
      guard let numbers = PackedIntegers.integers(in: data), numbers.count == count else {
        return nil
      }
      indexes = numbers
      parts.grow(by: ValueWeight(parts: count))
    } else if count == 1 {
      guard let index = parts.integer("NSIndexPathValue") else { return nil }
      indexes = [index]
    } else {
      guard count == 0 else { return nil }
      indexes = []
    }
  }
}

/// A run of indexes: an NSRange.
public struct ArchivedRange: Sendable, Hashable, Encodable {
  /// The first index.
  public var location: Int
  /// The number of indexes.
  public var length: Int

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - location: The first index.
  ///   - length: The number of indexes.
  public init(location: Int, length: Int) {
    self.location = location
    self.length = length
  }
}

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
