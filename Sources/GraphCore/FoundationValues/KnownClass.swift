/// The Foundation classes whose objects are read as values or collections.
///
/// Mutable and immutable variants are one: an archive stores the same thing for both.
package enum KnownClass: Hashable, Sendable {
  case string
  case number
  case data
  case date
  case decimal
  case uuid
  case url
  case null
  case array
  case set
  case orderedSet
  case countedSet
  case dictionary
  /// A class whose objects are read as a `FoundationValue`.
  case foundation(FoundationClass)

  /// The class with an archived name.
  ///
  /// Subclasses by other names have keys of their own and are not among them.
  package init?(archivedName name: String) {
    switch name {
    case "NSString", "NSMutableString": self = .string
    case "NSNumber": self = .number
    case "NSData", "NSMutableData": self = .data
    case "NSDate": self = .date
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": self = .decimal
    case "NSUUID": self = .uuid
    case "NSURL": self = .url
    case "NSNull": self = .null
    case "NSArray", "NSMutableArray": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSOrderedSet", "NSMutableOrderedSet": self = .orderedSet
    case "NSCountedSet": self = .countedSet
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    default:
      guard let other = FoundationClass(archivedName: name) else { return nil }
      self = .foundation(other)
    }
  }

  /// True if the objects of a class are read as a `FoundationValue`.
  package static func isFoundationValue(_ name: String) -> Bool {
    if case .foundation = KnownClass(archivedName: name) { true } else { false }
  }

  /// The kind of collection, if it is one.
  package var collectionKind: CollectionKind? {
    switch self {
    case .array: .array
    case .set: .set
    case .orderedSet: .orderedSet
    case .countedSet: .countedSet
    case .dictionary: .dictionary
    default: nil
    }
  }
}
