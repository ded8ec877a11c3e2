/// Tells why a value cannot be written.
public enum PropertyListWritingError: Error, Equatable, CustomStringConvertible {
  /// The XML form has nothing for this kind of value.
  case noXMLForm(of: String)
  /// The text is not a decimal number of at most 38 digits.
  case notADecimal(String)

  /// The error in words.
  public var description: String {
    switch self {
    case .noXMLForm(let kind): "The XML form cannot express \(kind)."
    case .notADecimal(let text): "\"\(text)\" is not a decimal number that fits."
    }
  }
}
