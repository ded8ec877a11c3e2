import DataModel
import Foundation

extension ValueConversion {
  /// A rule that has no parameters: a function.
  struct PlainStep: ConversionStep {
    private let type: AttributeType
    private let function: @Sendable (ImportValue) throws(ConversionFailure) -> ConvertedValue

    init(
      _ type: AttributeType,
      _ function: @escaping @Sendable (ImportValue) throws(ConversionFailure) -> ConvertedValue
    ) {
      self.type = type
      self.function = function
    }

    func resultType(from _: AttributeType) -> AttributeType { type }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      try function(value)
    }
  }
}

extension ValueConversion.PlainStep {
  static let json = ValueConversion.PlainStep(.string) { (value) throws(ConversionFailure) in
    ConvertedValue(.text(try JSONText.text(of: value)))
  }

  static let text = ValueConversion.PlainStep(.string) { (value) throws(ConversionFailure) in
    guard let text = ValueText.text(of: value) else {
      throw ConversionFailure(.wrongKind, name: "plain text", kind: value.kind)
    }
    let isWhole = value.attributedText?.runs.allSatisfy(\.attributes.isEmpty) ?? true
    return ConvertedValue(.text(text), loss: isWhole ? nil : .attributesDropped)
  }

  /// A text without attributes is one part.
  static let runs = ValueConversion.PlainStep(.string) { (value) throws(ConversionFailure) in
    if let text = value.attributedText { return ConvertedValue(.text(text.partsJSON)) }
    guard case .text = value else { return ConvertedValue(.null) }
    let part = ImportValue.dictionary([
      .init(.text("attributes"), .dictionary([])), .init(.text("text"), value),
    ])
    return ConvertedValue(.text(try JSONText.text(of: .list([part]))))
  }

  /// Numbers are true unless they are zero.
  static let boolean = ValueConversion.PlainStep(.boolean) { (value) throws(ConversionFailure) in
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

  /// The step that makes an archive, which only the importer can take.
  static let archive = ValueConversion.PlainStep(.binary) { (value) throws(ConversionFailure) in
    throw ConversionFailure(.needsArchive, kind: value.kind)
  }
}

/// A rule that was made ready.
package protocol ConversionStep: Sendable {
  /// Converts a value that is not nil.
  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue

  /// The type of attribute that holds what the step makes.
  ///
  /// - Parameter type: The type of an attribute that holds the values before.
  /// - Returns: The type.
  func resultType(from type: AttributeType) -> AttributeType

  /// True if nil is converted too.
  var convertsNull: Bool { get }
}

extension ConversionStep {
  var convertsNull: Bool { false }
}
