import DataModel

/// A rule that was made ready.
package protocol ConversionStep: Sendable {
  /// Converts a value that is not nil.
  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue

  /// Whether nil is converted too.
  var convertsNull: Bool { get }
}

extension ConversionStep {
  var convertsNull: Bool { false }
}

extension ValueConversion.Rule {
  /// Makes the rule ready.
  func step() throws(ConversionRuleError) -> any ConversionStep {
    switch self {
    case .decimal(let scale, let rounding, let notFinite):
      try DecimalStep(scale: scale, rounding: rounding, notFinite: notFinite)
    case .decimalText(let scale, let rounding, let separator):
      try DecimalTextStep(scale: scale, rounding: rounding, decimalSeparator: separator)
    case .number(let kind, let decimalSeparator, let groupingSeparator):
      try NumberStep(
        kind: kind, decimalSeparator: decimalSeparator, groupingSeparator: groupingSeparator)
    case .dateText(let form, let locale, let timeZone):
      try DateTextStep(form: form, locale: locale, timeZone: timeZone)
    case .dateFromText(let form, let locale, let timeZone):
      try DateReadingStep(form: form, locale: locale, timeZone: timeZone)
    case .dateNumber(let epoch): DateNumberStep(since: epoch)
    case .dateFromNumber(let epoch): DateFromNumberStep(since: epoch)
    case .enumeration(let cases, let otherwise):
      try EnumerationStep(cases, otherwise: otherwise)
    case .uuid: PlainStep(IdentifierText.uuid)
    case .url: PlainStep(IdentifierText.url)
    case .json: PlainStep.json
    case .text: PlainStep.text
    case .boolean: PlainStep.boolean
    case .integer:
      PlainStep { (value) throws(ConversionFailure) in try NumberConversion.integer(value) }
    case .double:
      PlainStep { (value) throws(ConversionFailure) in try NumberConversion.double(value) }
    case .archive: PlainStep.archive
    case .unarchive: UnarchivingStep()
    }
  }
}
