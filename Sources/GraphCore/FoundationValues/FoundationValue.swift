/// A value of one of Foundation's classes beyond strings, numbers, dates and collections, or of one
/// of the classes built on it: an index set, a colour, an attributed text.
///
/// A value holds all that the archived object does. An object with a key that its class is not
/// known to have, or with a part that is no value, is not read as one.
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
  /// An NSTruePredicate or an NSFalsePredicate.
  case constantPredicate(ArchivedConstantPredicate)
  /// An NSCursor.
  case cursor(ArchivedCursor)
  /// NSDateComponents.
  case dateComponents(ArchivedDateComponents)
  /// An NSDateComponentsFormatter.
  case dateComponentsFormatter(ArchivedDateComponentsFormatter)
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
  /// An NSHashTable.
  case hashTable(ArchivedHashTable)
  /// An NSImage.
  case image(ArchivedImage)
  /// A UIImageConfiguration.
  case imageConfiguration(ArchivedImageConfiguration)
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
  /// An NSMapTable.
  case mapTable(ArchivedMapTable)
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
  /// An NSPersonNameComponentsFormatter.
  case personNameComponentsFormatter(ArchivedPersonNameComponentsFormatter)
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
  /// A UITraitCollection.
  case traitCollection(ArchivedTraitCollection)
  /// A UIColor.
  case uiColor(ArchivedUIColor)
  /// A UIFont.
  case uiFont(ArchivedUIFont)
  /// A UIImage.
  case uiImage(ArchivedUIImage)
  /// An NSUnit, or a unit of a dimension.
  case unit(ArchivedUnit)
  /// An NSUnitConverterLinear or NSUnitConverterReciprocal.
  case unitConverter(ArchivedUnitConverter)
  /// A formatter of lengths, masses, energies or measurements.
  case unitFormatter(ArchivedUnitFormatter)
  /// An NSURLQueryItem.
  case urlQueryItem(ArchivedURLQueryItem)
  /// An NSValue.
  case value(ArchivedConcreteValue)
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
