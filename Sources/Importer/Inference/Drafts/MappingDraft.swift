import ArchiveReader
import DataModel
import Support

/// Writes out, as the text of a mapping file, what a conversion does where no mapping says so.
///
/// The text names every class, entity and property; comments say what was found of each.
package enum MappingDraft {
  /// The options of a draft.
  package struct Options: Sendable {
    /// The name of the file that the draft will be in.
    package var fileName = "mapping.yaml"
    /// The names of the archives, without folders.
    package var archiveNames: [String] = []
    /// The rules for naming entities and properties.
    package var nameRules = NameRules()
    /// The classes whose objects are seen through.
    package var seeThrough: [String] = []
    /// The paths of dictionaries that are records.
    package var records: [String] = []
    /// The positions that are lists in typedstreams, by class and version ("Note#1").
    package var lists: [String: [Int]] = [:]
    /// The path of the Core Data model, from the folder of the mapping file.
    package var model: String?
    /// The digest of that model.
    package var modelDigest: String?
    /// True if the draft gives the model of stores, rather than what was found in archives.
    package var isDeclared = false

    package init() {}
  }

  /// The text of the mapping file.
  ///
  /// - Parameters:
  ///   - profile: The profile of the archives.
  ///   - model: The model that was drawn from it; entities may have been given other names.
  ///   - options: The options of the draft.
  /// - Returns: The text, which can be read as a mapping and says all of the model.
  package static func text(profile: SchemaProfile, model: Model, options: Options = Options())
    -> String
  {
    MappingDrafter(profile, model, options).text()
  }
}

extension MappingDraft {
  /// Writes YAML by hand, since emitters keep no comments.
  enum YAML {
    /// The longest key that may stand on a line with its value; YAML allows 1,024 characters.
    private static let longestKey = 1_000

    /// A text as a scalar: plain where that is safe, otherwise in double quotes.
    static func scalar(_ text: String) -> String {
      isPlain(text) ? text : "\"\(escaped(text, and: ["\"", "\\"]))\""
    }

    /// Pairs on one line: "{type: string, to: Note}".
    static func flow(_ pairs: [(key: String, value: String)]) -> String {
      "{\(pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }

    /// Elements on one line: "[Note, Folder]".
    static func list(_ elements: [String]) -> String {
      "[\(elements.map(scalar).joined(separator: ", "))]"
    }

    /// A key with a value that fits on its line, and a comment after it.
    static func entry(
      _ key: String, _ value: String, comment: String? = nil, indentation: Int
    ) -> String {
      "\(start(key, indentation)) \(value)\(comment.map { "  # \(plainComment($0))" } ?? "")\n"
    }

    /// An item of a list, on a line of its own.
    static func item(_ value: String, comment: String? = nil, indentation: Int) -> String {
      "\(margin(indentation))- \(value)\(comment.map { "  # \(plainComment($0))" } ?? "")\n"
    }

    /// A key whose value follows on the next lines.
    static func entry(_ key: String, indentation: Int) -> String {
      "\(start(key, indentation))\n"
    }

    /// A comment on one line, with what it begins with.
    static func line(_ text: String) -> String {
      "# \(plainComment(text))\n"
    }

    /// A comment of any length on lines of its own.
    static func comment(_ text: String, indentation: Int = 0) -> String {
      let start = margin(indentation) + "#"
      var lines = ""
      var line = start
      for word in plainComment(text).split(separator: " ") {
        if line.count > start.count, line.count + word.count >= 90 {
          lines += "\(line)\n"
          line = start
        }
        line += " \(word)"
      }
      return "\(lines)\(line)\n"
    }

    /// Lines that mean nothing until somebody removes the signs in front of them.
    static func commentedOut(_ lines: String, indentation: Int) -> String {
      lines.split(separator: "\n").map { "\(margin(indentation))# \($0)\n" }.joined()
    }

    private static func start(_ key: String, _ indentation: Int) -> String {
      let key = scalar(key)
      guard key.unicodeScalars.count > longestKey else { return "\(margin(indentation))\(key):" }
      return "\(margin(indentation))? \(key)\n\(margin(indentation)):"
    }

    private static func margin(_ indentation: Int) -> String {
      String(repeating: "  ", count: indentation)
    }

    // MARK: Characters

    /// A comment without anything that would end it.
    private static func plainComment(_ text: String) -> String { escaped(text, and: []) }

    /// True if a text is an identifier that no version of YAML takes for something else.
    private static func isPlain(_ text: String) -> Bool {
      func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
      }
      guard let first = text.utf8.first, isLetter(first),
        text.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
      else { return false }
      return !words.contains(text.lowercased())
    }

    /// Words for true, false and nothing.
    private static let words: Set<String> = [
      "y", "yes", "n", "no", "true", "false", "on", "off", "null",
    ]

    /// The text with escapes for what cannot be seen, or that YAML does not allow.
    private static func escaped(_ text: String, and others: Set<Unicode.Scalar>) -> String {
      var escaped = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if others.contains(scalar) {
          escaped.append("\\")
          escaped.append(scalar)
        } else if scalar == " " || isVisible(scalar) {
          escaped.append(scalar)
        } else {
          escaped.append(contentsOf: escape(scalar).unicodeScalars)
        }
      }
      return String(escaped)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
      func digits(_ count: Int) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: count - digits.count) + digits
      }
      return switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      case ..<"\u{100}": "\\x\(digits(2))"
      case ..<"\u{10000}": "\\u\(digits(4))"
      default: "\\U\(digits(8))"
      }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .unassigned, .spaceSeparator, .lineSeparator,
        .paragraphSeparator:
        false
      default: true
      }
    }
  }
}
