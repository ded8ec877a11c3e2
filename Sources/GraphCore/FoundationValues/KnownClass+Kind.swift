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
