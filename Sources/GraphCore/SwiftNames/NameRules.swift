/// How entities are named after archived classes, and properties after keys.
package struct NameRules: Sendable, Hashable {
  /// A prefix of class names that entities do without.
  package var stripPrefix: String?

  /// Rules by which names stay as they are archived, without a Swift module.
  package init(stripPrefix: String? = nil) { self.stripPrefix = stripPrefix }

  /// The name of the entity of a class.
  package func entity(_ className: String) -> String {
    EntityName.plain(className, stripPrefix: stripPrefix)
  }
}
