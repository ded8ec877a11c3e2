extension KeyedArchiveBuilder {
  /// The superclasses of the Foundation classes that archives name most.
  private static let superclasses = [
    "NSMutableString": "NSString", "NSMutableData": "NSData", "NSMutableArray": "NSArray",
    "NSMutableSet": "NSSet", "NSCountedSet": "NSMutableSet", "NSMutableDictionary": "NSDictionary",
    "NSMutableOrderedSet": "NSOrderedSet", "NSMutableIndexSet": "NSIndexSet",
    "NSMutableAttributedString": "NSAttributedString", "NSCalendarDate": "NSDate",
    "NSNumber": "NSValue", "NSDecimalNumber": "NSNumber",
    "NSUnitLength": "NSDimension", "NSUnitMass": "NSDimension", "NSDimension": "NSUnit",
    "NSUnitConverterLinear": "NSUnitConverter",
  ]

  /// The class and its superclasses, down to `NSObject`.
  package static func hierarchy(of className: String) -> [String] {
    var chain = [className]
    while let last = chain.last, let parent = superclasses[last] {
      chain.append(parent)
    }
    return chain.last == "NSObject" ? chain : chain + ["NSObject"]
  }
}
