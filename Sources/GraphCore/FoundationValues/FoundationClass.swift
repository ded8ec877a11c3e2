/// One of Foundation's classes whose objects are read as a `FoundationValue`.
package struct FoundationClass: Hashable, Sendable {
  let type: any FoundationObject.Type

  /// The name of the class, or of the first of those that are archived alike.
  package var name: String { type.classNames.first ?? "NSObject" }

  /// The class with an archived name; nil for all others.
  package init?(archivedName name: String) {
    if let type = Self.types[name] {
      self.type = type
    } else if name.hasPrefix("NSUnit") {
      // Each dimension has a class of its own, and apps define some.
      type = ArchivedUnit.self
    } else {
      return nil
    }
  }

  /// The names of all classes but those of dimensions, which begin with "NSUnit".
  package static var classNames: [String] { types.keys.sorted() }

  private static let types: [String: any FoundationObject.Type] = Dictionary(
    all.flatMap { type in type.classNames.map { ($0, type) } },
    uniquingKeysWith: { first, _ in first })

  /// The value of an object of the class.
  ///
  /// - Parameters:
  ///   - className: The name of the class, as archived.
  ///   - parts: What stands under the object's keys.
  ///   - elementWeights: What the elements of arrays among them weigh, by key.
  ///   - weight: What all parts weigh.
  /// - Returns: The value and what it weighs; nil if the object is not one whose parts are all
  ///   known.
  package func value(
    className: String, parts: [String: UnarchivedValue], elementWeights: [String: [ValueWeight]],
    weight: ValueWeight
  ) -> (value: FoundationValue, weight: ValueWeight)? {
    var reader = PartReader(
      className: className, parts: parts, elementWeights: elementWeights, weight: weight)
    guard let value = type.init(&reader), reader.isComplete else { return nil }
    return (FoundationValue(value), reader.weight)
  }

  package static func == (left: FoundationClass, right: FoundationClass) -> Bool {
    ObjectIdentifier(left.type) == ObjectIdentifier(right.type)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
  }

  /// The types that stand for classes: all others are classes of objects.
  private static let all: [any FoundationObject.Type] = [
    ArchivedAffineTransform.self,
    ArchivedAttributedString.self,
    ArchivedBezierPath.self,
    ArchivedByteCountFormatter.self,
    ArchivedCalendar.self,
    ArchivedCalendarDate.self,
    ArchivedCharacterSet.self,
    ArchivedColor.self,
    ArchivedColorList.self,
    ArchivedColorSpace.self,
    ArchivedComparisonPredicate.self,
    ArchivedCompoundPredicate.self,
    ArchivedConstantPredicate.self,
    ArchivedCursor.self,
    ArchivedDateComponents.self,
    ArchivedDateComponentsFormatter.self,
    ArchivedDateFormatter.self,
    ArchivedDateInterval.self,
    ArchivedDateIntervalFormatter.self,
    ArchivedDecimalNumberHandler.self,
    ArchivedError.self,
    ArchivedExpression.self,
    ArchivedFileWrapper.self,
    ArchivedFont.self,
    ArchivedFontDescriptor.self,
    ArchivedHashTable.self,
    ArchivedImage.self,
    ArchivedImageConfiguration.self,
    ArchivedImageRepresentation.self,
    ArchivedIndexPath.self,
    ArchivedIndexSet.self,
    ArchivedISO8601DateFormatter.self,
    ArchivedLinkImage.self,
    ArchivedLinkMetadata.self,
    ArchivedLocale.self,
    ArchivedLocalizableString.self,
    ArchivedLocation.self,
    ArchivedMapTable.self,
    ArchivedMeasurement.self,
    ArchivedNotification.self,
    ArchivedNumberFormatter.self,
    ArchivedOldStyleArray.self,
    ArchivedParagraphStyle.self,
    ArchivedPersonNameComponents.self,
    ArchivedPersonNameComponentsFormatter.self,
    ArchivedPostalAddress.self,
    ArchivedPredicateOperator.self,
    ArchivedPrintInfo.self,
    ArchivedRecordID.self,
    ArchivedRecordZoneID.self,
    ArchivedRegularExpression.self,
    ArchivedResource.self,
    ArchivedShadow.self,
    ArchivedSortDescriptor.self,
    ArchivedTextAttachment.self,
    ArchivedTextCheckingResult.self,
    ArchivedTextList.self,
    ArchivedTextTab.self,
    ArchivedTimeZone.self,
    ArchivedTraitCollection.self,
    ArchivedUIColor.self,
    ArchivedUIFont.self,
    ArchivedUIImage.self,
    ArchivedUnit.self,
    ArchivedUnitConverter.self,
    ArchivedUnitFormatter.self,
    ArchivedURLQueryItem.self,
    ArchivedConcreteValue.self,
  ]
}
