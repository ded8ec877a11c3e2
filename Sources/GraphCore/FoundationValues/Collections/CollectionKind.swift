/// The kinds of collection that Foundation archives.
package enum CollectionKind: String, BitwiseCopyable, Hashable, Codable, Sendable,
  CaseIterable
{
  case array
  case set
  case orderedSet
  case dictionary
  /// A set in which each element has a count: read as a dictionary from elements to counts.
  case countedSet

  /// True if the order of the elements matters.
  package var isOrdered: Bool { self == .array || self == .orderedSet }

  /// True if the elements are pairs.
  package var isKeyed: Bool { self == .dictionary || self == .countedSet }
}
