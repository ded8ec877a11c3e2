import ArchiveReader
import DataModel

/// A step that can write what the store keeps of usual values without a detour by `ImportValue`.
///
/// Whatever it writes is what `convert` gives, and it has a loss where that has one.
package protocol TextWritingStep: ConversionStep {
  /// The type of the values that it writes.
  var writtenType: AttributeType { get }

  /// Writes the text of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - space: At least `WrittenText.maxBytes` bytes.
  /// - Returns: Nil for a value that is not a usual one: `convert` has to be used.
  func write(_ value: GraphValue, into space: UnsafeMutableRawBufferPointer) -> WrittenText?
}

/// A text that a step wrote.
package struct WrittenText: Equatable {
  /// How many bytes it takes.
  package var count: Int
  /// Why the value cannot be got back from it; nil if it can.
  package var loss: ConvertedValue.Loss?

  /// How many bytes a text takes at most.
  package static let maxBytes = 64
}

extension WrittenText {
  /// Writes numbers and bytes into memory, from its beginning.
  @unsafe struct Writer {
    private let space: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    /// - Parameter space: Memory that is large enough for all that is put.
    init(_ space: UnsafeMutableRawBufferPointer) {
      unsafe self.space = unsafe space
    }

    mutating func put(_ byte: UInt8) {
      unsafe space[count] = byte
      unsafe count += 1
    }

    mutating func put(_ bytes: [UInt8]) {
      for byte in bytes { unsafe put(byte) }
    }

    /// Puts a number that is not negative, with zeros before it where it has too few digits.
    mutating func put(_ number: Int, least digits: Int) {
      var count = digits
      var bound = 1
      for _ in 0..<digits { bound *= 10 }
      while number >= bound {
        count += 1
        bound *= 10
      }
      unsafe put(number, digits: count)
    }

    /// Puts the last digits of a number, zeros before it included.
    mutating func put(_ number: Int, digits: Int) {
      var rest = number
      var place = unsafe count + digits
      unsafe count = place
      for _ in 0..<digits {
        place -= 1
        unsafe space[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }
}
