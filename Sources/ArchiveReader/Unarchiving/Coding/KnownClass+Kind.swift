extension ArchivedValue {
  /// The class of Foundation that the value is of; nil for nil, classes and objects, and for values
  /// that more than one class has, which their class record tells.
  package var knownClass: KnownClass? {
    switch self {
    case .null, .className, .object, .foundation: nil
    case .bool, .integer, .wideInteger, .real: .number
    case .date: .date
    case .text: .string
    case .data: .data
    case .uuid: .uuid
    case .decimal: .decimal
    case .url: .url
    case .nsNull: .null
    case .collection(_, .array): .array
    case .collection(_, .set): .set
    case .collection(_, .orderedSet): .orderedSet
    case .collection(_, .countedSet): .countedSet
    case .collection(_, .dictionary): .dictionary
    }
  }
}

extension KnownClass {
  /// Whether it is another class, or a subclass of it.
  package func isKind(of other: KnownClass) -> Bool {
    self == other || (self == .decimal && other == .number)
      || (self == .countedSet && other == .set)
  }

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
