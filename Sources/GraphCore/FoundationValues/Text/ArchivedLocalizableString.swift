/// An NSLocalizableString: a text of a nib, with the key of its translations.
public struct ArchivedLocalizableString: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The text.
  public let text: String?
  /// The text in the language of the developer.
  public let developmentText: String?
  /// The key of the translations.
  public let key: String?

  static let classNames = ["NSLocalizableString"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    text = parts.text("NS.string")
    developmentText = parts.text("NSDev")
    key = parts.text("NSKey")
  }
}

/// An NSURLQueryItem: a name and a value of the query of a URL.
public struct ArchivedURLQueryItem: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name.
  public let name: String?
  /// The value.
  public let value: String?

  static let classNames = ["NSURLQueryItem"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("NS.name")
    value = parts.text("NS.value")
  }
}
