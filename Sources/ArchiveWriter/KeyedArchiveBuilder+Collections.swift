import Foundation

/// The elements of a collection are references; a plain value becomes an object of its own first.
extension KeyedArchiveBuilder {
  /// Adds an `NSArray`.
  public mutating func array(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSArray", elements)
  }

  /// Adds an `NSMutableArray`.
  public mutating func mutableArray(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSMutableArray", elements)
  }

  /// Adds an array under the keys `NS.object.0` and so on, as subclasses of the archiver do.
  public mutating func numberedArray(
    _ elements: [PropertyListValue], className: String = "NSArray"
  ) -> PropertyListValue {
    let pairs = references(to: elements).enumerated().map {
      KeyValue("NS.object.\($0.offset)", $0.element)
    }
    return instance(of: className, pairs)
  }

  /// Adds an `NSSet`.
  public mutating func set(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSSet", elements)
  }

  /// Adds an `NSMutableSet`.
  public mutating func mutableSet(_ elements: [PropertyListValue]) -> PropertyListValue {
    listed("NSMutableSet", elements)
  }

  /// Adds an `NSOrderedSet`.
  public mutating func orderedSet(_ elements: [PropertyListValue]) -> PropertyListValue {
    numberedArray(elements, className: "NSOrderedSet")
  }

  /// Adds an `NSCountedSet` of elements and how often each occurs.
  public mutating func countedSet(
    _ elements: [(element: PropertyListValue, count: Int)]
  ) -> PropertyListValue {
    var pairs = [KeyValue("NS.count", .integer(Int64(elements.count)))]
    for (place, (element, count)) in elements.enumerated() {
      pairs.append(KeyValue("NS.object\(place)", reference(to: element)))
      pairs.append(KeyValue("NS.count\(place)", .integer(Int64(count))))
    }
    return instance(of: "NSCountedSet", pairs)
  }

  /// Adds an `NSDictionary`; its keys may be any object.
  public mutating func dictionary(
    _ pairs: KeyValuePairs<PropertyListValue, PropertyListValue>, className: String = "NSDictionary"
  ) -> PropertyListValue {
    dictionary(keys: pairs.map(\.key), values: pairs.map(\.value), className: className)
  }

  /// Adds an `NSDictionary` of keys and values, which a broken archive may have unequally many of.
  public mutating func dictionary(
    keys: [PropertyListValue], values: [PropertyListValue], className: String = "NSDictionary"
  ) -> PropertyListValue {
    let keys = references(to: keys)
    let values = references(to: values)
    return instance(of: className, ["NS.keys": .array(keys), "NS.objects": .array(values)])
  }

  private mutating func listed(
    _ className: String, _ elements: [PropertyListValue]
  ) -> PropertyListValue {
    let references = references(to: elements)
    return instance(of: className, ["NS.objects": .array(references)])
  }

  private mutating func references(to values: [PropertyListValue]) -> [PropertyListValue] {
    var references: [PropertyListValue] = []
    for value in values {
      references.append(reference(to: value))
    }
    return references
  }

  private mutating func reference(to value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .uid: value
    case .string(let text): string(text)
    default: add(value)
    }
  }
}
