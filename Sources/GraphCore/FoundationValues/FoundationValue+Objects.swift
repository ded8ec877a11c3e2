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
    case .constantPredicate(let object): object
    case .cursor(let object): object
    case .dateComponents(let object): object
    case .dateComponentsFormatter(let object): object
    case .dateFormatter(let object): object
    case .dateInterval(let object): object
    case .dateIntervalFormatter(let object): object
    case .decimalNumberHandler(let object): object
    case .error(let object): object
    case .expression(let object): object
    case .fileWrapper(let object): object
    case .font(let object): object
    case .fontDescriptor(let object): object
    case .hashTable(let object): object
    case .image(let object): object
    case .imageConfiguration(let object): object
    case .imageRepresentation(let object): object
    case .indexPath(let object): object
    case .indexSet(let object): object
    case .iso8601DateFormatter(let object): object
    case .linkImage(let object): object
    case .linkMetadata(let object): object
    case .locale(let object): object
    case .localizableString(let object): object
    case .location(let object): object
    case .mapTable(let object): object
    case .measurement(let object): object
    case .notification(let object): object
    case .numberFormatter(let object): object
    case .oldStyleArray(let object): object
    case .paragraphStyle(let object): object
    case .personNameComponents(let object): object
    case .personNameComponentsFormatter(let object): object
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
    case .traitCollection(let object): object
    case .uiColor(let object): object
    case .uiFont(let object): object
    case .uiImage(let object): object
    case .unit(let object): object
    case .unitConverter(let object): object
    case .unitFormatter(let object): object
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
