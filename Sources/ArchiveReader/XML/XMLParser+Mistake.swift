extension XMLParser {
  /// The mistakes that libxml2 finds in XML, in words.
  enum Mistake {
    /// True if a mistake at the end of a document is that the rest is missing.
    static func isMissingEnd(_ code: Int) -> Bool {
      [4, 5, 37, 40, 45, 47, 57, 60, 61, 63, 73, 74, 77].contains(code)
    }

    /// The mistake in words, by libxml2's number of it (`xmlParserErrors`).
    static func words(_ code: Int) -> String {
      switch code {
      case 3, 4: "the document has no element"
      case 5: "there is text before the first or after the last element"
      case 37, 60: "the document ends unexpectedly"
      case 6: "a character reference is not a hexadecimal number"
      case 7: "a character reference is not a number"
      case 8: "a character reference is not a valid character"
      case 9: "a character is not allowed in XML"
      case 10...21: "a reference is not allowed here"
      case 22, 24: "an & is not followed by a name (write a plain & as &amp;)"
      case 23, 25: "a reference does not end with a semicolon (write a plain & as &amp;)"
      case 26, 27: "an entity is not declared"
      case 28...30, 87...90, 104: "an entity cannot be used here"
      case 31, 32, 79, 101: "the encoding is unknown"
      case 33, 34, 36, 43, 44: "a quoted string does not begin or end correctly"
      case 35, 200...205: "a namespace declaration is malformed"
      case 38: "an attribute value contains <"
      case 39, 40: "an attribute value is not in quotes or is not terminated"
      case 41: "an attribute has no value"
      case 42: "an element has a duplicate attribute"
      case 45: "a comment is not terminated"
      case 46, 47: "a processing instruction is not terminated"
      case 48...55, 58, 59, 67, 69, 83, 95, 105: "the document type has a malformed declaration"
      case 56, 57: "the XML declaration is malformed"
      case 61: "the document type declaration is malformed"
      case 62: "']]>' is not allowed in text"
      case 63: "a CDATA section is not terminated"
      case 64: "an XML declaration is allowed only at the very start"
      case 65: "a space is missing"
      case 66: "a separator is missing"
      case 68: "a name is missing or invalid"
      case 70, 71, 91, 92: "the document type has a missing or invalid URI"
      case 72...74: "a tag is malformed"
      case 75: "an attribute has no ="
      case 76: "an end tag does not match its start tag"
      case 77: "an element has no end tag"
      case 78, 103: "the XML declaration has an invalid 'standalone' value"
      case 80: "a comment contains '--'"
      case 81: "bytes are invalid in the encoding"
      case 84: "a value is missing"
      case 85: "an element has no end tag"
      case 86: "there is text after the last element"
      case 96: "the XML declaration has no version"
      case 108, 109: "the XML version is unknown"
      case 110: "a name is too long"
      default: "it cannot be read"
      }
    }
  }
}
