import Foundation

extension Decimal {
  /// The number without its sign and its power of ten, where it is above zero and has 64 bits at
  /// most.
  ///
  /// Foundation keeps it to itself, in the bytes after the first four. What is read from there is
  /// made sure of by building the number again, so it does not matter if that changes.
  package var shortMantissa: UInt64? {
    guard !isNaN, !isZero, MemoryLayout<Decimal>.size == 20 else { return nil }
    let mantissa = unsafe withUnsafeBytes(of: self) {
      unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    }
    return significand == Decimal(mantissa) ? mantissa : nil
  }
}
