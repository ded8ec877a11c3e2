/// Type codes of Objective-C.
package enum ObjCTypes {
  /// The codes of the single values in a text of several; nil if a bracket is open.
  package static func split(_ codes: String) -> [String]? {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for code in codes.unicodeScalars {
      part.unicodeScalars.append(code)
      switch code {
      case "{", "[", "(": depth += 1
      case "}", "]", ")": depth -= 1
      default: break
      }
      guard depth >= 0 else { return nil }
      if depth == 0 {
        parts.append(part)
        part = ""
      }
    }
    return depth == 0 ? parts : nil
  }
}
