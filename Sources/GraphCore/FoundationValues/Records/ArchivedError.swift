/// An NSError.
public struct ArchivedError: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The domain that gives the code its meaning.
  public let domain: String?
  /// The code.
  public let code: Int?
  /// What else is known of the error.
  public let userInfo: UnarchivedValue?

  static let classNames = ["NSError"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    domain = parts.text("NSDomain")
    code = parts.integer("NSCode")
    userInfo = parts.any("NSUserInfo")
  }
}

/// An NSNotification.
public struct ArchivedNotification: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the notification.
  public let name: String?
  /// Who sent it.
  public let object: UnarchivedValue?
  /// Its user info.
  public let userInfo: UnarchivedValue?

  static let classNames = ["NSNotification"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("NS.name")
    object = parts.any("NS.object")
    userInfo = parts.any("NS.userinfo")
  }
}
