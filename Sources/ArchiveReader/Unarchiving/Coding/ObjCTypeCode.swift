/// The type codes of Objective-C that values are encoded by without a key.
///
/// Codes of structures and arrays are not among them: what an archiver writes for those are
/// objects.
package enum ObjCTypeCode: Hashable, Sendable {
  /// An integer of so many bits.
  case integer(bits: Int, isSigned: Bool)
  case float
  case double
  case bool
  /// An object, a class, a selector or a C string: all are archived as objects.
  case object

  /// The type that a code means; nil for one that is no scalar.
  package init?(_ code: String) {
    switch code {
    case "c": self = .integer(bits: 8, isSigned: true)
    case "C": self = .integer(bits: 8, isSigned: false)
    case "s": self = .integer(bits: 16, isSigned: true)
    case "S": self = .integer(bits: 16, isSigned: false)
    // A long is of 32 bits in type codes, whatever it is in C.
    case "i", "l": self = .integer(bits: 32, isSigned: true)
    case "I", "L": self = .integer(bits: 32, isSigned: false)
    case "q": self = .integer(bits: 64, isSigned: true)
    case "Q": self = .integer(bits: 64, isSigned: false)
    case "f": self = .float
    case "d": self = .double
    case "B": self = .bool
    case "@", "#", ":", "*": self = .object
    default: return nil
    }
  }

  /// Whether an integer fits the type.
  package func holds(_ value: Int128) -> Bool {
    guard case .integer(let bits, let isSigned) = self else { return false }
    let limit = Int128(1) << Int128(isSigned ? bits - 1 : bits)
    return value < limit && value >= (isSigned ? -limit : 0)
  }
}
