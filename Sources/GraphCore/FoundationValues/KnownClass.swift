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

extension KnownClass {
  /// True if the class is another, or a subclass of it.
  package func isKind(of other: KnownClass) -> Bool {
    self == other || (self == .decimal && other == .number)
      || (self == .countedSet && other == .set)
  }

  /// True if the class is that of a name, or a subclass of it.
  ///
  /// This is what Foundation says of its classes; what an archive says counts for nothing.
  package func isKind(ofClassNamed name: String) -> Bool {
    if let other = KnownClass(archivedName: name), isKind(of: other) { return true }
    guard case .foundation(let found) = self else { return false }
    return Self.subclasses[name]?.contains(found.name) ?? false
  }

  /// For classes that others stand for in archives, the subclasses by their first names.
  private static let subclasses: [String: Set<String>] = [
    "NSDate": ["NSCalendarDate"],
    "NSExpression": ["NSConstantValueExpression"],
    "NSFormatter": [
      "NSByteCountFormatter", "NSDateComponentsFormatter", "NSDateFormatter",
      "NSDateIntervalFormatter", "NSEnergyFormatter", "NSISO8601DateFormatter",
      "NSLengthFormatter", "NSMassFormatter", "NSMeasurementFormatter", "NSNumberFormatter",
      "NSPersonNameComponentsFormatter",
    ],
    "NSImageRep": ["NSBitmapImageRep"],
    "NSPredicate": ["NSComparisonPredicate", "NSCompoundPredicate", "NSTruePredicate"],
    "NSTextCheckingResult": ["NSSimpleRegularExpressionCheckingResult"],
  ]

  /// The name that the class has in messages.
  package var className: String {
    switch self {
    case .string: "NSString"
    case .number: "NSNumber"
    case .data: "NSData"
    case .date: "NSDate"
    case .decimal: "NSDecimalNumber"
    case .uuid: "NSUUID"
    case .url: "NSURL"
    case .null: "NSNull"
    case .array: "NSArray"
    case .set: "NSSet"
    case .orderedSet: "NSOrderedSet"
    case .countedSet: "NSCountedSet"
    case .dictionary: "NSDictionary"
    case .foundation(let found): found.name
    }
  }
}
