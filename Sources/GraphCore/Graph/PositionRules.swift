/// The names that the positions of classes in typedstreams have, and the lists among them.
///
/// A typedstream has no keys: a mapping gives names, and which positions are lists is found out.
package struct PositionRules: Sendable, Equatable, Codable {
  /// The rules for a class.
  package struct Class: Sendable, Equatable, Codable {
    /// The names of the values at each position: one for the position, or one for each of its values.
    ///
    /// A position without names keeps its number, and so does a value without one.
    package var fields: [[String?]]?
    /// The positions of numbers that say how many groups follow.
    package var lists: Set<Int>?
    /// The lists that all streams of a run have, with the number of groups of an element, by
    /// position; nil if each stream is looked at by itself.
    package var arities: [Int: Int]?
    /// True if these streams have several versions of the class, so that objects tell theirs.
    package var isVersioned: Bool?

    package init(fields: [[String?]]? = nil, lists: Set<Int>? = nil) {
      (self.fields, self.lists) = (fields, lists)
    }

    /// The key of a position, or of one of several values there, counted from 1; 0 for the only one.
    package func key(_ position: Int, _ value: Int) -> String {
      let fields = fields ?? []
      let names = position <= fields.count ? fields[position - 1] : []
      if names.count > 1 {
        if value > 0, value <= names.count, let name = names[value - 1] { return name }
      } else if let name = names.first ?? nil {
        return value == 0 ? name : "\(name)_\(value)"
      }
      return value == 0 ? "v\(position)" : "v\(position)_\(value)"
    }
  }

  /// Classes by name and version ("Point#0"), or by name for all versions.
  package private(set) var classes: [String: Class] = [:]

  package init(_ classes: [String: Class] = [:]) { self.classes = classes }

  package var isEmpty: Bool { classes.isEmpty }

  /// The rules for a class in a version, "Point#0".
  package func rules(for name: String) -> Class? {
    classes[name] ?? classes[Self.plainName(name)]
  }

  /// The name of a class without its version.
  package static func plainName(_ name: String) -> String {
    name.lastIndex(of: "#").map { String(name[..<$0]) } ?? name
  }
}
