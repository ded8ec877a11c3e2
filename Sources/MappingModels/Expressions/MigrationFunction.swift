/// The functions that expressions have by themselves, by their selectors.
///
/// They are those that the documentation of `NSExpression.init(forFunction:arguments:)` lists.
package enum MigrationFunction: String, Sendable, CaseIterable {
  case average = "average:"
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"

  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"

  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncated = "trunc:"

  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case length = "length:"

  case random = "random"
  case randomBelow = "random:"
  case randomFrom = "randomn:"
  case now = "now"

  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"

  case element = "objectFrom:withIndex:"
  case withoutIndex = "noindex:"

  /// How many arguments it has.
  package var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

  /// The operator that stands between its two arguments in the format, if there is one.
  ///
  /// The order of the arguments is that of the operands.
  var infix: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .raise: "**"
    default: nil
    }
  }

  /// Its name in the format: a colon at the end is left out where it is the only one.
  package var name: String {
    argumentCount == 1 ? String(rawValue.dropLast()) : rawValue
  }

  /// The function with a name, whose only colon may be left out; nil if there is none.
  package init?(name: String, argumentCount: Int) {
    let selector = argumentCount == 1 && !name.hasSuffix(":") ? "\(name):" : name
    guard let function = Self(rawValue: selector), function.argumentCount == argumentCount else {
      return nil
    }
    self = function
  }
}
