/// Words for numbers of things.
package enum Words {
  /// A number with its noun, in the singular or plural: "1 object", "3 objects".
  package static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Words in a list: "text", "text or nil", "text, date or nil".
  package static func list(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
