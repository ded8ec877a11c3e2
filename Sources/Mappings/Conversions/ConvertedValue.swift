import DataModel

/// The result of converting a value.
public struct ConvertedValue: Sendable, Hashable {
  /// Why a value cannot be got back from what it became.
  public struct Loss: Sendable, Hashable {
    /// The reason in words, such as "rounded to 2 digits", and never a value.
    public var reason: String

    /// Creates a loss.
    public init(_ reason: String) {
      self.reason = reason
    }
  }

  /// The new value.
  public var value: ImportValue
  /// The loss; nil if the old value can be got back.
  public var loss: Loss?

  /// Creates a converted value.
  public init(_ value: ImportValue, loss: Loss? = nil) {
    self.value = value
    self.loss = loss
  }

  /// A value that was made from an earlier one, with the losses of both.
  init(_ value: ImportValue, losses: Loss?...) {
    let reasons = losses.compactMap { $0?.reason }
    self.init(value, loss: reasons.isEmpty ? nil : Loss(reasons.joined(separator: ", ")))
  }
}

extension ConvertedValue.Loss {
  /// A text that is not written in the usual way, or as its form has it: " 5 ", "12.", "1e3".
  static let looseText = Self("loose text")
  /// A text whose parts had attributes.
  static let attributesDropped = Self("attributes of the text dropped")
  /// A collection has no places for its elements.
  package static let orderDropped = Self("order dropped")
  /// Nothing took the place of NaN or of an infinity.
  static let notFinite = Self("not finite, replaced by nil")
  /// There is only one zero in the new type.
  package static let negativeZero = Self("sign of -0.0 dropped")
  /// A number that no double is equal to.
  static let nearestDouble = Self("rounded to the nearest double")
  /// A double that no single-precision number is equal to.
  static let nearestFloat = Self("rounded to single precision")
  /// A text tells seconds less finely than its date.
  static let fractionDropped = Self("fractions of a second dropped")
  /// A text has no time of day, or not all of it.
  static let instantDropped = Self("the text does not determine the instant")
  /// Clocks that are put back show a time twice.
  static let repeatedTime = Self("ambiguous local time, read as the first")
  /// Seconds from another year are not as fine as those of the date.
  static let fractionRounded = Self("fractions of a second rounded")

  /// Digits were dropped after the decimal separator.
  static func rounded(toScale scale: Int) -> Self {
    switch scale {
    case ..<0: Self("rounded to multiples of 10^\(scale.magnitude)")
    case 0: Self("rounded to a whole number")
    case 1: Self("rounded to 1 digit")
    default: Self("rounded to \(scale) digits")
    }
  }
}
