extension NameRules {
  /// Names that SQL and object-relational mappers take as they are: letters, digits and single `_`.
  ///
  /// Documentation/layouts.md has the rules.
  enum PlainName {
    /// Words in capitals that are no prefixes of class names.
    private static let acronyms: Set<Substring> = [
      "API", "CPU", "CSS", "CSV", "DNS", "DVD", "FTP", "GIF", "GPS", "GPU", "HTML", "HTTP", "ID",
      "IP", "ISO", "JPEG", "JPG", "JSON", "MAC", "MIDI", "PDF", "PIN", "PNG", "QR", "RAM", "RGB",
      "RSS", "RTF", "SDK", "SMS", "SQL", "SSH", "SSL", "SVG", "TCP", "TLS", "TV", "UDP", "URI",
      "URL",
      "USB", "UUID", "VPN", "XML", "YAML", "ZIP",
    ]
    /// The prefixes of Foundation and of UIKit.
    private static let systemPrefixes = ["NS", "UI"]

    /// A name in which all but letters and digits is a single `_`, without one at either end.
    static func words(_ name: String) -> Substring {
      var words = ""
      for character in name {
        if character.isLetter || character.isNumber {
          words.append(character)
        } else if !words.isEmpty, words.last != "_" {
          words.append("_")
        }
      }
      return words.last == "_" ? words.dropLast() : words[...]
    }

    /// The type prefix of a name: two or three capitals before a word.
    static func prefix(of name: Substring) -> Substring {
      guard !isAcronym(name) else { return "" }
      for count in [2, 3] where name.prefix(count).allSatisfy(isCapital) {
        let rest = name.dropFirst(count)
        if startsWord(rest) { return name.prefix(count) }
      }
      return ""
    }

    /// The name of the property of a key.
    ///
    /// - Parameters:
    ///   - key: The key as the program gave it.
    ///   - classPrefix: The prefix of its class.
    /// - Returns: The name.
    static func property(_ key: String, classPrefix: String) -> String {
      var name = words(key)
      if key.drop(while: { $0 == "_" }).hasPrefix("m_"), name.hasPrefix("m_") {
        name = name.dropFirst(2)
      }
      for prefix in systemPrefixes + [classPrefix] where name.hasPrefix(prefix) {
        let rest = name.dropFirst(prefix.count)
        if let first = rest.first, first == "_" || startsWord(rest) {
          return Self.name(first == "_" ? rest.dropFirst() : rest)
        }
      }
      return Self.name(name)
    }

    /// A name that begins with a letter.
    static func name(_ words: Substring) -> String {
      guard let first = words.first else { return "unnamed" }
      let isTaken = words.prefix(7).lowercased() == "sqlite_"
      return first.isLetter && !isTaken ? String(words) : "n_\(words)"
    }

    /// True if a name begins with a capital and a lower-case letter, or with an acronym.
    private static func startsWord(_ name: Substring) -> Bool {
      guard let first = name.first, isCapital(first) else { return false }
      return name.dropFirst().first?.isLowercase == true || isAcronym(name)
    }

    /// True if a name begins with an acronym that ends with it, or that a word or no letter
    /// follows.
    private static func isAcronym(_ name: Substring) -> Bool {
      [2, 3, 4].contains { count in
        guard acronyms.contains(name.prefix(count)) else { return false }
        let rest = name.dropFirst(count)
        // URLs are several.
        guard let first = rest.first, first.isLetter, first != "s" else { return true }
        return isCapital(first) && rest.dropFirst().first?.isLowercase == true
          || [2, 3, 4].contains { acronyms.contains(rest.prefix($0)) }
      }
    }

    private static func isCapital(_ character: Character) -> Bool {
      character.isUppercase && character.isLetter
    }
  }
}
