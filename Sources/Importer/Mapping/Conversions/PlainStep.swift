import Foundation

/// The rules that have no parameters.
enum PlainStep: ConversionStep {
  case uuid
  case url
  case json
  case text
  case boolean
  case integer
  case double
  case archive

  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch self {
    case .uuid: return try IdentifierText.uuid(value)
    case .url: return try IdentifierText.url(value)
    case .json: return ConvertedValue(.text(try JSONText.text(of: value)))
    case .text:
      guard let text = ValueText.text(of: value) else {
        throw ConversionFailure(.wrongKind, name: "plain text", kind: value.kind)
      }
      return ConvertedValue(.text(text))
    case .boolean: return try boolean(value)
    case .integer: return try NumberConversion.integer(value)
    case .double: return try NumberConversion.double(value)
    case .archive: throw ConversionFailure(.needsArchive, kind: value.kind)
    }
  }

  /// Numbers are true unless they are zero.
  private func boolean(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    guard case .text(let text) = value else {
      guard let truth = try NumberConversion.truth(of: value) else {
        return ConvertedValue(.bool(true), loss: ConvertedValue.Loss("other than 0 and 1"))
      }
      return ConvertedValue(.bool(truth), loss: NumberConversion.lossOfSign(value))
    }
    let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let loss = word == text ? nil : ConvertedValue.Loss.looseText
    switch word.lowercased() {
    case "yes", "true", "y", "t", "1": return ConvertedValue(.bool(true), loss: loss)
    case "no", "false", "n", "f", "0": return ConvertedValue(.bool(false), loss: loss)
    default: throw ConversionFailure(.notABoolean, kind: value.kind)
    }
  }
}
