extension XMLModelWriter {
  /// An element of XML that is to be written: attributes and elements inside, no text.
  struct ElementText {
    private let name: String
    private var attributes: [(name: String, value: String)] = []
    /// The elements inside.
    var children: [ElementText] = []

    init(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
      self.name = name
      for (name, value) in attributes { add(name, value) }
    }

    /// Adds an attribute after the others; one without a value is left out.
    mutating func add(_ name: String, _ value: String?) {
      guard let value else { return }
      attributes.append((name, value))
    }

    /// Adds an attribute that says "YES", if it is to say so.
    mutating func add(_ name: String, if flag: Bool) {
      if flag { add(name, "YES") }
    }

    /// The element as lines of text, indented as Xcode does it.
    func text(indentation: Int = 0) -> String {
      let margin = String(repeating: "    ", count: indentation)
      let start = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
      guard !children.isEmpty else { return "\(margin)<\(name)\(start)/>\n" }
      let inside = children.map { $0.text(indentation: indentation + 1) }.joined()
      return "\(margin)<\(name)\(start)>\n\(inside)\(margin)</\(name)>\n"
    }

    /// The text as it stands between quotes; characters that XML does not have become U+FFFD.
    private static func escaped(_ text: String) -> String {
      var escaped = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
        case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
        case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
        case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
        // A reader turns bare ones into spaces.
        case "\t", "\n", "\r": escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
        default: escaped.append(scalar)
        }
      }
      return String(escaped)
    }
  }
}
