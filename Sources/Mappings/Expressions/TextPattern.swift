import Foundation

/// The regular expression of a `MATCHES`, for whole texts.
///
/// A regular expression can take a time that grows with the powers of a text's length. So texts
/// are of a limited length, and the search ends after a limited number of steps.
final class TextPattern: Sendable, Hashable {
  /// The longest text, in bytes.
  static let maxBytes = 65_536
  /// The greatest number of ICU's progress reports, each after thousands of steps.
  private static let maxReports = 1_000

  private let source: String
  private let options: TextOptions
  private let expression: NSRegularExpression

  /// Compiles the text of a regular expression.
  init(_ source: String, options: TextOptions) throws(ExpressionFailure) {
    self.source = source
    let options = options.folding
    self.options = options
    // The case is left to ICU: folding the pattern would change its \D into \d.
    let accents = options.intersection(.diacriticInsensitive)
    let pattern = accents.folded(source)
    let flags: NSRegularExpression.Options =
      options.contains(.caseInsensitive) ? .caseInsensitive : []
    guard source.utf8.count <= Self.maxBytes,
      // By itself, since "a)|(b" would be well formed in the brackets.
      pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: flags)) != nil,
      let expression = try? NSRegularExpression(pattern: "(?:\(pattern))\\z", options: flags)
    else { throw ExpressionFailure(.badPattern) }
    self.expression = expression
  }

  static func == (first: TextPattern, second: TextPattern) -> Bool {
    first.source == second.source && first.options == second.options
  }

  func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// True if the whole text matches.
  func matches(_ text: String) throws(ExpressionFailure) -> Bool {
    guard text.utf8.count <= Self.maxBytes else {
      throw ExpressionFailure(.tooLong, name: "\(Self.maxBytes)")
    }
    let text = options.intersection(.diacriticInsensitive).folded(text)
    var isMatch = false
    var reports = 0
    var isTooMuch = false
    unsafe expression.enumerateMatches(
      in: text, options: [.anchored, .reportProgress],
      range: NSRange(location: 0, length: text.utf16.count)
    ) { match, flags, stop in
      if match != nil {
        isMatch = true
      } else {
        reports += 1
        isTooMuch = isTooMuch || reports > Self.maxReports || flags.contains(.internalError)
      }
      if isMatch || isTooMuch { unsafe stop.pointee = true }
    }
    guard !isTooMuch else { throw ExpressionFailure(.tooComplex) }
    return isMatch
  }
}
