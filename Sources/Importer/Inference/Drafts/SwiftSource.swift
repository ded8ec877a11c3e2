import ArchiveReader
import Foundation

/// Names and texts of archives as Swift source code, which they can neither end nor change.
package enum SwiftSource {
  /// A text as a literal of one line.
  package static func literal(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case _ where isPlain(scalar): result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    } + "\""
  }

  /// True if a character shows by itself what it is.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
      .dashPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation, .mathSymbol,
      .currencySymbol:
      return true
    default: return false
    }
  }

  /// An identifier like a name: letters, digits and underscores.
  ///
  /// - Parameter name: The name.
  /// - Returns: The identifier, which may be a word of the language.
  package static func identifier(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(60).map { isLetter($0) ? $0 : "_" }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    let isStart = scalars.first.map { !("0"..."9").contains($0) } ?? false
    return isStart ? text : "_" + text
  }

  /// True if a character may be part of an identifier, with or without others beside it.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": return true
    case "\u{C0}"..."\u{2FF}", "\u{370}"..."\u{1FFF}", "\u{3040}"..."\u{D7FF}":
      // What has several forms in Unicode would have another one as the name of a file.
      guard String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.count == 1 else {
        return false
      }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
      default: return false
      }
    default: return false
    }
  }

  /// The words in source code that could be identifiers.
  package static func words(_ source: String) -> Set<String> {
    Set(
      source.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
  }

  /// Words of the language that name no type, or that it would take in backticks.
  package static let reservedWords: Set<String> = words(
    """
    Any Protocol Self Swift Type actor any as associatedtype async await borrowing break case catch class
    consuming continue default defer deinit do else enum extension fallthrough false fileprivate
    for func guard if import in indirect init inout internal is lazy let mutating nil nonisolated
    nonmutating open operator optional override package postfix precedencegroup prefix private
    protocol public repeat required rethrows return self sending some static struct subscript super
    switch throw throws true try typealias unowned unsafe var weak where while _ main
    """)
}
