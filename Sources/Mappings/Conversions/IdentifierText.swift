import DataModel
import Foundation

/// UUIDs and URLs from text.
enum IdentifierText {
  /// A UUID from text, with or without braces and in upper or lower case, or from sixteen bytes.
  static func uuid(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch value {
    case .uuid: return ConvertedValue(value)
    case .text(let text):
      let bare =
        text.hasPrefix("{") && text.hasSuffix("}") ? text.dropFirst().dropLast() : text[...]
      guard bare.utf8.count == 36, let uuid = UUID(uuidString: String(bare)) else {
        throw ConversionFailure(.notAUUID, kind: value.kind)
      }
      return ConvertedValue(.uuid(uuid), loss: bare.count < text.count ? .looseText : nil)
    case .data(let data):
      guard data.count == 16 else {
        throw ConversionFailure(.wrongLength, name: "16", kind: value.kind)
      }
      var bytes = UUID().uuid
      unsafe withUnsafeMutableBytes(of: &bytes) { _ = unsafe data.copyBytes(to: $0) }
      return ConvertedValue(.uuid(UUID(uuid: bytes)))
    default:
      throw ConversionFailure(.wrongKind, name: "a UUID", kind: value.kind)
    }
  }

  /// A URL from text: absolute or relative, with all characters encoded that have to be.
  static func url(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch value {
    case .url: return ConvertedValue(value)
    case .text(let text):
      // Foundation would encode spaces and others by itself, which makes another text of it.
      guard !text.isEmpty, URL(string: text, encodingInvalidCharacters: false) != nil else {
        throw ConversionFailure(.notAURL, kind: value.kind)
      }
      return ConvertedValue(.url(text))
    default:
      throw ConversionFailure(.wrongKind, name: "a URL", kind: value.kind)
    }
  }
}
