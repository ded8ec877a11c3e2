import ArchiveReader
import DataModel
import Foundation

/// Plain values as text.
package enum ValueText {
  /// The text of a value; nil if it has none: nothing, objects and collections.
  ///
  /// Numbers are as short as can be, dates in ISO 8601, data in Base64; a text with attributes is
  /// the text, and values of Foundation's other classes are JSON.
  package static func text(of value: ImportValue) -> String? {
    switch value {
    case .null, .row, .list, .set, .dictionary: nil
    case .bool(let bool): bool ? "true" : "false"
    case .integer(let integer): String(integer)
    case .real(let real): text(of: real)
    case .decimal(let decimal): ExactNumber(decimal)?.text ?? "NaN"
    case .text(let text), .url(let text): text
    case .date(let date): DateText.text(secondsSince2001: date.timeIntervalSinceReferenceDate)
    case .data(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .foundation(let found): value.attributedText.map { $0.text ?? "" } ?? found.json
    }
  }

  /// A real number: "12.5", "12", "-0", "1e+21", "NaN", "-Infinity".
  private static func text(of real: Double) -> String {
    guard !real.isNaN else { return "NaN" }
    guard real.isFinite else { return real < 0 ? "-Infinity" : "Infinity" }
    let text = "\(real)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

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
  ///   - span: The destination of the text, with room for `WrittenText.maxBytes`.
  /// - Returns: Nil for a value that is not a usual one: `convert` has to be used.
  func write(_ value: GraphValue, into span: inout OutputSpan<UInt8>) -> WrittenText?
}

/// The result of writing a text.
package struct WrittenText: Equatable {
  /// Why the value cannot be got back from it; nil if it can.
  package var loss: ConvertedValue.Loss?

  /// The greatest size of a text, in bytes.
  package static let maxBytes = 64
}
