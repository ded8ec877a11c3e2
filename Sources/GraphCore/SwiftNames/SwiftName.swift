/// Names of Swift classes as archives have them.
///
/// An archiver writes the name that the Objective-C runtime knows: "Garden.Plant" for a class at
/// the top of a module, and a mangled name for those that are nested, private or generic
/// ("_TtCC6Garden5Plant4Leaf"). The plain form is what one would write in Swift
/// ("Garden.Plant.Leaf").
public enum SwiftName {
  /// The plain form of a mangled name.
  ///
  /// The grammar is that of docs/ABI/OldMangling.rst in Swift's repository, as far as names of
  /// types need it. Names in the mangling of Swift 4 and later never get into archives.
  ///
  /// - Parameter archived: The archived name.
  /// - Returns: The plain form; nil for a name that is not mangled, or of another kind than a type.
  public static func plain(_ archived: String) -> String? {
    guard archived.hasPrefix("_Tt"), archived.utf8.count <= maxBytes else { return nil }
    var demangler = Mangling(archived.utf8.dropFirst(3))
    return demangler.typeName()
  }

  /// The plain form of a name, or the name itself where it has none.
  ///
  /// - Parameter archived: The archived name.
  /// - Returns: The name as one would write it in Swift.
  public static func readable(_ archived: String) -> String { plain(archived) ?? archived }

  /// Names of real classes are far shorter.
  private static let maxBytes = 4096
}

extension SwiftName {
  /// A type inside of a module or of other types.
  struct Path {
    /// A module or a type, with its generic arguments.
    struct Part {
      package var name: String
      package var arguments: [String] = []
    }

    var parts: [Part]

    init(module: String) { parts = [Part(name: module)] }

    /// A type of the standard library.
    init(standard name: String) { parts = [Part(name: "Swift"), Part(name: name)] }

    var isType: Bool { parts.count > 1 }

    var text: String {
      parts.map { part in
        part.arguments.isEmpty
          ? part.name : "\(part.name)<\(part.arguments.joined(separator: ", "))>"
      }.joined(separator: ".")
    }

    func appending(_ name: String) -> Path {
      var path = self
      path.parts.append(Part(name: name))
      return path
    }
  }
}

extension SwiftName {
  /// Identifiers that are not ASCII, in Swift's variant of Punycode (RFC 3492): the digits are a to
  /// z and A to J, and the delimiter is an underscore.
  enum Punycode {
    static func decoded(_ bytes: [UInt8]) -> String? {
      var scalars: [Unicode.Scalar] = []
      var rest = bytes[...]
      if let delimiter = bytes.lastIndex(of: UInt8(ascii: "_")) {
        scalars = bytes[..<delimiter].map { Unicode.Scalar($0) }
        rest = bytes[(delimiter + 1)...]
      }
      var code = 128
      var index = 0
      var bias = 72
      while !rest.isEmpty {
        let start = index
        var weight = 1
        var threshold = 36
        while true {
          guard let digit = rest.popFirst().flatMap(digit) else { return nil }
          let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
          guard !overflow, product <= 0x7FFF_FFFF - index else { return nil }
          index += product
          let limit = threshold <= bias ? 1 : min(26, threshold - bias)
          if digit < limit { break }
          guard weight <= 0x7FFF_FFFF / (36 - limit) else { return nil }
          weight *= 36 - limit
          threshold += 36
        }
        bias = adapted(index - start, scalars.count + 1, isFirst: start == 0)
        code += index / (scalars.count + 1)
        index %= scalars.count + 1
        guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else {
          return nil
        }
        scalars.insert(scalar, at: index)
        index += 1
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }

    private static func digit(_ byte: UInt8) -> Int? {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
      case UInt8(ascii: "A")...UInt8(ascii: "J"): Int(byte - UInt8(ascii: "A")) + 26
      default: nil
      }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
      var delta = isFirst ? delta / 700 : delta / 2
      delta += delta / count
      var bias = 0
      while delta > 35 * 26 / 2 {
        delta /= 35
        bias += 36
      }
      return bias + 36 * delta / (delta + 38)
    }
  }
}

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
