import Foundation

/// URLs as text.
package enum URLText {
  /// The absolute text of a relative URL and its bases, the base first, or nil where one of several
  /// is no URL.
  ///
  /// A URL without a base is its own text, whatever it is.
  package static func resolve(_ parts: [String]) -> String? {
    guard var text = parts.first else { return nil }
    for relative in parts.dropFirst() {
      guard let base = URL(string: text), let url = URL(string: relative, relativeTo: base) else {
        return nil
      }
      text = url.absoluteString
    }
    return text
  }
}
