/// A value of one of Foundation's classes beyond strings, numbers, dates and collections, or of one of
/// the classes built on it: an index set, a colour, an attributed text.
///
/// A value holds all that the archived object does. An object with a key that its class is not known
/// to have, or with a part that is no value, is not read as one.
public indirect enum FoundationValue: Sendable, Hashable {
  /// An NSAffineTransform.
  case affineTransform(ArchivedAffineTransform)
  /// An NSAttributedString.
  case attributedString(ArchivedAttributedString)
  /// An NSBezierPath.
  case bezierPath(ArchivedBezierPath)
  /// An NSByteCountFormatter.
  case byteCountFormatter(ArchivedByteCountFormatter)
  /// An NSCalendar.
  case calendar(ArchivedCalendar)
  /// An NSCalendarDate.
  case calendarDate(ArchivedCalendarDate)
  /// An NSCharacterSet.
  case characterSet(ArchivedCharacterSet)
  /// An NSColor.
  case color(ArchivedColor)
  /// An NSColorList.
  case colorList(ArchivedColorList)
  /// An NSColorSpace.
  case colorSpace(ArchivedColorSpace)
  /// An NSComparisonPredicate.
  case comparisonPredicate(ArchivedComparisonPredicate)
  /// An NSCompoundPredicate.
  case compoundPredicate(ArchivedCompoundPredicate)
  /// An NSCursor.
  case cursor(ArchivedCursor)
  /// NSDateComponents.
  case dateComponents(ArchivedDateComponents)
  /// An NSDateFormatter in the form of Mac OS X 10.0.
  case dateFormatter(ArchivedDateFormatter)
  /// An NSDateInterval.
  case dateInterval(ArchivedDateInterval)
  /// An NSDateIntervalFormatter.
  case dateIntervalFormatter(ArchivedDateIntervalFormatter)
  /// An NSDecimalNumberHandler.
  case decimalNumberHandler(ArchivedDecimalNumberHandler)
  /// An NSError.
  case error(ArchivedError)
  /// An NSExpression of any kind.
  case expression(ArchivedExpression)
  /// An NSFileWrapper.
  case fileWrapper(ArchivedFileWrapper)
  /// An NSFont.
  case font(ArchivedFont)
  /// An NSFontDescriptor.
  case fontDescriptor(ArchivedFontDescriptor)
  /// An NSImage.
  case image(ArchivedImage)
  /// A representation of an image.
  case imageRepresentation(ArchivedImageRepresentation)
  /// An NSIndexPath.
  case indexPath(ArchivedIndexPath)
  /// An NSIndexSet.
  case indexSet(ArchivedIndexSet)
  /// An NSISO8601DateFormatter.
  case iso8601DateFormatter(ArchivedISO8601DateFormatter)
  /// A picture or an icon in the metadata of a link, or what is known of one.
  case linkImage(ArchivedLinkImage)
  /// An LPLinkMetadata.
  case linkMetadata(ArchivedLinkMetadata)
  /// An NSLocale.
  case locale(ArchivedLocale)
  /// An NSLocalizableString.
  case localizableString(ArchivedLocalizableString)
  /// A CLLocation.
  case location(ArchivedLocation)
  /// An NSMeasurement.
  case measurement(ArchivedMeasurement)
  /// An NSNotification.
  case notification(ArchivedNotification)
  /// An NSNumberFormatter.
  case numberFormatter(ArchivedNumberFormatter)
  /// A C array in an NSValue, which NSKeyedArchiver puts in an object of its own class.
  case oldStyleArray(ArchivedOldStyleArray)
  /// An NSParagraphStyle.
  case paragraphStyle(ArchivedParagraphStyle)
  /// NSPersonNameComponents.
  case personNameComponents(ArchivedPersonNameComponents)
  /// A CNPostalAddress.
  case postalAddress(ArchivedPostalAddress)
  /// An NSPredicateOperator.
  case predicateOperator(ArchivedPredicateOperator)
  /// An NSPrintInfo.
  case printInfo(ArchivedPrintInfo)
  /// A CKRecordID.
  case recordID(ArchivedRecordID)
  /// A CKRecordZoneID.
  case recordZoneID(ArchivedRecordZoneID)
  /// An NSRegularExpression.
  case regularExpression(ArchivedRegularExpression)
  /// An NSShadow.
  case shadow(ArchivedShadow)
  /// An NSSortDescriptor.
  case sortDescriptor(ArchivedSortDescriptor)
  /// An NSTextAttachment.
  case textAttachment(ArchivedTextAttachment)
  /// An NSTextCheckingResult of a regular expression.
  case textCheckingResult(ArchivedTextCheckingResult)
  /// An NSTextList.
  case textList(ArchivedTextList)
  /// An NSTextTab.
  case textTab(ArchivedTextTab)
  /// An NSTimeZone.
  case timeZone(ArchivedTimeZone)
  /// A UIColor.
  case uiColor(ArchivedUIColor)
  /// A UIFont.
  case uiFont(ArchivedUIFont)
  /// An NSUnit, or a unit of a dimension.
  case unit(ArchivedUnit)
  /// An NSUnitConverterLinear or NSUnitConverterReciprocal.
  case unitConverter(ArchivedUnitConverter)
  /// An NSURLQueryItem.
  case urlQueryItem(ArchivedURLQueryItem)
  /// An NSValue.
  case value(ArchivedConcreteValue)
}

extension FoundationValue {
  /// The value without its case.
  var object: any FoundationObject {
    switch self {
    case .affineTransform(let object): object
    case .attributedString(let object): object
    case .bezierPath(let object): object
    case .byteCountFormatter(let object): object
    case .calendar(let object): object
    case .calendarDate(let object): object
    case .characterSet(let object): object
    case .color(let object): object
    case .colorList(let object): object
    case .colorSpace(let object): object
    case .comparisonPredicate(let object): object
    case .compoundPredicate(let object): object
    case .cursor(let object): object
    case .dateComponents(let object): object
    case .dateFormatter(let object): object
    case .dateInterval(let object): object
    case .dateIntervalFormatter(let object): object
    case .decimalNumberHandler(let object): object
    case .error(let object): object
    case .expression(let object): object
    case .fileWrapper(let object): object
    case .font(let object): object
    case .fontDescriptor(let object): object
    case .image(let object): object
    case .imageRepresentation(let object): object
    case .indexPath(let object): object
    case .indexSet(let object): object
    case .iso8601DateFormatter(let object): object
    case .linkImage(let object): object
    case .linkMetadata(let object): object
    case .locale(let object): object
    case .localizableString(let object): object
    case .location(let object): object
    case .measurement(let object): object
    case .notification(let object): object
    case .numberFormatter(let object): object
    case .oldStyleArray(let object): object
    case .paragraphStyle(let object): object
    case .personNameComponents(let object): object
    case .postalAddress(let object): object
    case .predicateOperator(let object): object
    case .printInfo(let object): object
    case .recordID(let object): object
    case .recordZoneID(let object): object
    case .regularExpression(let object): object
    case .shadow(let object): object
    case .sortDescriptor(let object): object
    case .textAttachment(let object): object
    case .textCheckingResult(let object): object
    case .textList(let object): object
    case .textTab(let object): object
    case .timeZone(let object): object
    case .uiColor(let object): object
    case .uiFont(let object): object
    case .unit(let object): object
    case .unitConverter(let object): object
    case .urlQueryItem(let object): object
    case .value(let object): object
    }
  }

  /// The types of all cases.
  static let types: [any FoundationObject.Type] = [
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
    ArchivedCursor.self,
    ArchivedDateComponents.self,
    ArchivedDateFormatter.self,
    ArchivedDateInterval.self,
    ArchivedDateIntervalFormatter.self,
    ArchivedDecimalNumberHandler.self,
    ArchivedError.self,
    ArchivedExpression.self,
    ArchivedFileWrapper.self,
    ArchivedFont.self,
    ArchivedFontDescriptor.self,
    ArchivedImage.self,
    ArchivedImageRepresentation.self,
    ArchivedIndexPath.self,
    ArchivedIndexSet.self,
    ArchivedISO8601DateFormatter.self,
    ArchivedLinkImage.self,
    ArchivedLinkMetadata.self,
    ArchivedLocale.self,
    ArchivedLocalizableString.self,
    ArchivedLocation.self,
    ArchivedMeasurement.self,
    ArchivedNotification.self,
    ArchivedNumberFormatter.self,
    ArchivedOldStyleArray.self,
    ArchivedParagraphStyle.self,
    ArchivedPersonNameComponents.self,
    ArchivedPostalAddress.self,
    ArchivedPredicateOperator.self,
    ArchivedPrintInfo.self,
    ArchivedRecordID.self,
    ArchivedRecordZoneID.self,
    ArchivedRegularExpression.self,
    ArchivedShadow.self,
    ArchivedSortDescriptor.self,
    ArchivedTextAttachment.self,
    ArchivedTextCheckingResult.self,
    ArchivedTextList.self,
    ArchivedTextTab.self,
    ArchivedTimeZone.self,
    ArchivedUIColor.self,
    ArchivedUIFont.self,
    ArchivedUnit.self,
    ArchivedUnitConverter.self,
    ArchivedURLQueryItem.self,
    ArchivedConcreteValue.self,
  ]
}

extension FoundationValue: Encodable {
  /// The name of the class, as archived.
  public var className: String { object.class }

  /// The value as JSON: an object with the class under `class`, and the parts that are not nil.
  ///
  /// Keys are sorted. Data is in base64, dates are in ISO 8601, decimal numbers are exact text, and
  /// numbers that JSON has not are the texts "NaN", "Infinity" and "-Infinity".
  public var json: String { JSONText.text(self) }

  /// Encodes the value as its parts.
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try object.encode(to: encoder)
  }
}
