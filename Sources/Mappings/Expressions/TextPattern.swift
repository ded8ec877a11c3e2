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

extension ComparisonOperator {
  /// Searches in texts, scalar by scalar, in a time that is in proportion to their length.
  enum TextSearch {
    /// True if a text contains another one that is not empty: Foundation finds no empty ones.
    static func contains(_ text: String, _ part: String) -> Bool {
      let part = Array(part.utf8)
      guard let first = part.first, part.count <= text.utf8.count else { return false }
      // For each place, the length of the longest beginning that ends there (Knuth, Morris, Pratt).
      var borders = [Int](repeating: 0, count: part.count)
      func extended(_ length: Int, by byte: UInt8) -> Int {
        var length = length
        while length > 0, part[length] != byte { length = borders[length - 1] }
        return part[length] == byte ? length + 1 : length
      }
      for place in part.indices.dropFirst() {
        borders[place] = extended(borders[place - 1], by: part[place])
      }
      var length = 0
      for byte in text.utf8 {
        if length == 0, byte != first { continue }
        length = extended(length, by: byte)
        if length == part.count { return true }
      }
      return false
    }

    /// True if a text begins with another one that is not empty.
    static func begins(_ text: String, _ part: String) -> Bool {
      !part.isEmpty && text.utf8.starts(with: part.utf8)
    }

    /// True if a text ends with another one that is not empty.
    static func ends(_ text: String, _ part: String) -> Bool {
      !part.isEmpty && text.utf8.reversed().starts(with: part.utf8.reversed())
    }
  }
}

/// The options for comparing texts: the letters in square brackets after an operator.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  /// `c`: without regard to case.
  static let caseInsensitive = TextOptions(rawValue: 1)
  /// `d`: without regard to accents.
  static let diacriticInsensitive = TextOptions(rawValue: 2)
  /// `n`: as they are, since they have been prepared.
  static let prepared = TextOptions(rawValue: 4)
  /// `l`: in the order of the user's language, of which there is none here.
  static let localeSensitive = TextOptions(rawValue: 8)

  /// The options by their letters, in the order in which they are written.
  private static let byLetter: KeyValuePairs<Character, TextOptions> = [
    "c": .caseInsensitive, "d": .diacriticInsensitive, "l": .localeSensitive, "n": .prepared,
  ]

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The options of an archived number; nil if one is unknown.
  package init?(archived number: Int) {
    guard (0..<16).contains(number) else { return nil }
    self.init(rawValue: UInt8(number))
  }

  /// The options that letters stand for; nil if one is unknown.
  init?(letters: String) {
    self = []
    for letter in letters.lowercased() {
      guard let option = Self.byLetter.first(where: { $0.key == letter }) else { return nil }
      insert(option.value)
    }
  }

  /// The letters of the options.
  var letters: String { String(Self.byLetter.filter { contains($0.value) }.map(\.key)) }

  /// The options that change a text before it is compared.
  var folding: TextOptions {
    contains(.prepared) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
  }

  /// A text in the form in which it is compared with others.
  func folded(_ text: String) -> String {
    // Most have none at all.
    guard !isEmpty, !folding.isEmpty else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return contains(.caseInsensitive) ? text.lowercased() : text
    }
    let folded = contains(.diacriticInsensitive) ? Self.withoutAccents(text) : text
    return contains(.caseInsensitive) ? Self.withoutCase(folded) : folded
  }

  private static func withoutAccents(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      scalars.append(scalar)
    }
    return String(scalars).precomposedStringWithCanonicalMapping
  }

  /// The same as Unicode's case folding but for a few letters: "ß" is "ss", "ς" is "σ".
  private static func withoutCase(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      for upper in scalar.properties.uppercaseMapping.unicodeScalars {
        folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(folded)
  }
}
