/// An NSTextCheckingResult of a regular expression: what was found, and the groups in it.
///
/// Archived as one of three classes, by the number of groups (swift-corelibs-foundation,
/// NSTextCheckingResult.swift).
public struct ArchivedTextCheckingResult: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The range of the match.
  public let range: ArchivedRange
  /// The ranges, the whole one first.
  ///
  /// NSNotFound, the largest integer, is the location of a group that took no part.
  public let ranges: [ArchivedRange]?
  /// The regular expression of the search.
  public let regularExpression: FoundationValue?

  static let classNames = [
    "NSSimpleRegularExpressionCheckingResult", "NSExtendedRegularExpressionCheckingResult",
    "NSComplexRegularExpressionCheckingResult",
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let location = parts.integer("NSRangeLocation"),
      let length = parts.integer("NSRangeLength")
    else { return nil }
    range = ArchivedRange(location: location, length: length)
    let values = parts.parts(ArchivedConcreteValue.self, "NSRangeArray")
    ranges = values?.compactMap { value in
      if case .range(let range) = value.content { range } else { nil }
    }
    guard ranges?.count == values?.count else { return nil }
    regularExpression = parts.value(of: "NSRegularExpression", "NSRegularExpression")
  }
}
