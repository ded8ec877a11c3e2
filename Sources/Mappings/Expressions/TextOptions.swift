import Foundation

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
