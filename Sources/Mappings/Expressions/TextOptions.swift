import Foundation

/// How texts are compared: what stands in square brackets after an operator.
struct TextOptions: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  /// `c`: without regard to case.
  static let caseInsensitive = TextOptions(rawValue: 1)
  /// `d`: without regard to accents.
  static let diacriticInsensitive = TextOptions(rawValue: 2)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The options that letters stand for; nil if one is unknown.
  ///
  /// `n` says that texts have been prepared, and are compared as they are. `l` asks for the order
  /// of the user's language: here there is none.
  init?(letters: String) {
    var options: TextOptions = []
    var arePrepared = false
    for letter in letters {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      case "n", "N": arePrepared = true
      case "l", "L": break
      default: return nil
      }
    }
    self = arePrepared ? [] : options
  }

  /// A text in the form in which it is compared with others.
  func folded(_ text: String) -> String {
    guard !isEmpty else { return text }
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
