/// The mistakes that libxml2 finds in XML, in words.
enum XMLMistake {
  /// Whether a mistake at the end of a document is that the rest is missing.
  static func isMissingEnd(_ code: Int) -> Bool {
    [4, 5, 37, 40, 45, 47, 57, 60, 61, 63, 73, 74, 77].contains(code)
  }

  /// What is wrong, by libxml2's number of the mistake (`xmlParserErrors`).
  static func words(_ code: Int) -> String {
    switch code {
    case 3, 4: "there is no element"
    case 5: "something stands before the first or after the last element"
    case 37, 60: "the document ends too early"
    case 6: "a character reference is not a hexadecimal number"
    case 7: "a character reference is not a number"
    case 8: "a character reference names no character"
    case 9: "a character is not allowed in XML"
    case 10...21: "a reference stands where none is allowed"
    case 22, 24: "an & is not followed by a name (a plain & is written &amp;)"
    case 23, 25: "a reference does not end with a semicolon (a plain & is written &amp;)"
    case 26, 27: "an entity is not declared"
    case 28...30, 87...90, 104: "an entity cannot be used here"
    case 31, 32, 79, 101: "the encoding is not known"
    case 33, 34, 36, 43, 44: "a text in quotes does not begin or end as it must"
    case 35, 200...205: "a namespace is not declared as it must be"
    case 38: "an attribute holds a <"
    case 39, 40: "the value of an attribute is not in quotes, or does not end"
    case 41: "an attribute has no value"
    case 42: "an element has an attribute twice"
    case 45: "a comment does not end"
    case 46, 47: "a processing instruction does not end"
    case 48...55, 58, 59, 67, 69, 83, 95, 105: "the document type has a declaration that is not XML"
    case 56, 57: "the XML declaration does not end as it must"
    case 61: "the document type declaration does not end as it must"
    case 62: "']]>' stands in a text"
    case 63: "a CDATA section does not end"
    case 64: "a processing instruction has the name 'xml'; an XML declaration may only come first"
    case 65: "a space is missing"
    case 66: "a separator is missing"
    case 68: "a name is missing or not allowed"
    case 70, 71, 91, 92: "the document type names no address, or one that is none"
    case 72...74: "a tag does not begin or end as it must"
    case 75: "an attribute has no ="
    case 76: "an end tag does not match its start tag"
    case 77: "an element does not end"
    case 78, 103: "the XML declaration says something wrong of 'standalone'"
    case 80: "a comment holds '--'"
    case 81: "bytes do not fit the encoding"
    case 84: "a value is missing"
    case 85: "an element does not end"
    case 86: "something stands after the last element"
    case 96: "the XML declaration names no version"
    case 108, 109: "the version of XML is not known"
    case 110: "a name is too long"
    default: "it cannot be read"
    }
  }
}
