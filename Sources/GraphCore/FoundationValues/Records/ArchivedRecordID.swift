/// A CKRecordID: the name of a record of CloudKit.
public struct ArchivedRecordID: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the record.
  public let recordName: String?
  /// The zone of the record.
  public let zoneID: ArchivedRecordZoneID?

  static let classNames = ["CKRecordID"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    recordName = parts.text("RecordName")
    zoneID = parts.part(ArchivedRecordZoneID.self, "ZoneID")
  }
}

/// A CKRecordZoneID: the name of a zone of records of CloudKit.
public struct ArchivedRecordZoneID: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the zone.
  public let zoneName: String?
  /// Whose zone it is.
  public let ownerName: String?
  /// The scope of the database: CKDatabaseScope.
  public let databaseScope: Int?

  static let classNames = ["CKRecordZoneID"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    zoneName = parts.text("ZoneName")
    ownerName = parts.text("ownerName")
    databaseScope = parts.integer("databaseScopeKey")
  }
}
