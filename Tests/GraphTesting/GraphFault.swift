/// A law that a source breaks, and where.
package struct GraphFault: Hashable, Sendable, CustomStringConvertible {
  /// The laws that every source keeps.
  package enum Law: String, Sendable, CaseIterable {
    /// A root is at the place that it names, and its name is there once.
    case roots
    /// An object has the number that it was asked for by.
    case identity
    /// Reading twice gives the same, from one graph and from another.
    case repeatable
    /// A shape has as many keys as its objects, each once, and `position` finds them.
    case shapes
    /// All values of an object at once are those that are read one by one.
    case values
    /// A class was met before an object of it is handed out, and has a record.
    case classes
    /// A reference leads to an object of the source, and to the value that is under the key.
    case references
    /// A collection has as many elements as it says, of the kind that it says.
    case collections
    /// Texts, URLs and UUIDs have the bytes that they say.
    case bytes
    /// A value of one of Foundation's classes is one.
    case foundationValues
    /// A number that no object has is an error.
    case wrongNumbers
    /// Objects that nothing leads to are counted; none is when all were read.
    case unreached
    /// A copy for another thread reads the same, with the same numbers of classes and shapes.
    case copies
    /// An earlier reading of another source changes nothing.
    case reset
  }

  package var law: Law
  /// The place where it was broken.
  package var place: String

  package var description: String { "\(law.rawValue): \(place)" }
}
