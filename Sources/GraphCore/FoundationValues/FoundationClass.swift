/// One of Foundation's classes whose objects are read as a `FoundationValue`.
package struct FoundationClass: Hashable, Sendable {
  /// The name of the class, or of the first of those that are archived alike.
  package let name: String
  /// The parts of its objects, where they are no more than that.
  package let parts: [PartList.Part]?
  private let read: @Sendable (inout PartReader) -> (any FoundationParts)?

  /// The class with an archived name; nil for all others.
  package init?(archivedName name: String) {
    // Each dimension has a class of its own, and apps define some.
    guard
      let known = Self.classes[name] ?? (name.hasPrefix("NSUnit") ? Self.classes["NSUnit"] : nil)
    else { return nil }
    self = known
  }

  private init(
    _ name: String, _ parts: [PartList.Part]?,
    _ read: @escaping @Sendable (inout PartReader) -> (any FoundationParts)?
  ) {
    (self.name, self.parts, self.read) = (name, parts, read)
  }

  /// The names of all classes but those of dimensions, which begin with "NSUnit".
  package static var classNames: [String] { classes.keys.sorted() }

  private static let classes: [String: FoundationClass] = {
    var classes: [String: FoundationClass] = [:]
    func add(
      _ names: [String], _ parts: [PartList.Part]?,
      _ read: @escaping @Sendable (inout PartReader) -> (any FoundationParts)?
    ) {
      for name in names { classes[name] = FoundationClass(names[0], parts, read) }
    }
    for type in types { add(type.classNames, nil) { type.init(&$0) } }
    for list in PartList.all { add(list.classNames, list.parts) { list.read(&$0) } }
    return classes
  }()

  /// The value of an object of the class.
  ///
  /// - Parameters:
  ///   - className: The name of the class, as archived.
  ///   - parts: The values under the object's keys.
  ///   - elementWeights: The weights of the elements of arrays among them, by key.
  ///   - weight: The weight of all parts.
  /// - Returns: The value and its weight; nil if the object is not one whose parts are all known.
  package func value(
    className: String, parts: [String: UnarchivedValue], elementWeights: [String: [ValueWeight]],
    weight: ValueWeight
  ) -> (value: FoundationValue, weight: ValueWeight)? {
    var reader = PartReader(
      className: className, parts: parts, elementWeights: elementWeights, weight: weight)
    guard let value = read(&reader), reader.isComplete else { return nil }
    return (FoundationValue(value, kind: name), reader.weight)
  }

  package static func == (left: FoundationClass, right: FoundationClass) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The types that stand for classes whose objects are more than a list of parts.
  private static let types: [any FoundationObject.Type] = [
    ArchivedAffineTransform.self,
    ArchivedAttributedString.self,
    ArchivedBezierPath.self,
    ArchivedColor.self,
    ArchivedColorList.self,
    ArchivedComparisonPredicate.self,
    ArchivedCompoundPredicate.self,
    ArchivedConstantPredicate.self,
    ArchivedExpression.self,
    ArchivedHashTable.self,
    ArchivedIndexPath.self,
    ArchivedIndexSet.self,
    ArchivedMapTable.self,
    ArchivedOldStyleArray.self,
    ArchivedPredicateOperator.self,
    ArchivedTextCheckingResult.self,
    ArchivedUIColor.self,
    ArchivedConcreteValue.self,
  ]
}
