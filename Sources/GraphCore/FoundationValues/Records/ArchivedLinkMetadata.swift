import Foundation

/// An LPLinkMetadata: what is known of a link, such as one in a message.
public struct ArchivedLinkMetadata: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The version of the form.
  public let version: Int?
  /// Where the link leads.
  public let url: String?
  /// Where the link led before it was followed.
  public let originalURL: String?
  /// The title of the page.
  public let title: String?
  /// A summary of the page.
  public let summary: String?
  /// The name of the site.
  public let siteName: String?
  /// What kind of page it is.
  public let itemType: String?
  /// The profile of who made the page.
  public let creatorFacebookProfile: String?
  /// Whether the site speaks ActivityPub.
  public let usesActivityPub: Bool?
  /// The icon of the site.
  public let icon: UnarchivedValue?
  /// What is known of the icon.
  public let iconMetadata: UnarchivedValue?
  /// The icons of the site.
  public let icons: UnarchivedValue?
  /// The picture of the page.
  public let image: UnarchivedValue?
  /// What is known of the picture.
  public let imageMetadata: UnarchivedValue?
  /// The pictures of the page.
  public let images: UnarchivedValue?
  /// Other pictures of the page.
  public let alternateImages: UnarchivedValue?

  static let classNames = ["LPLinkMetadata"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    version = parts.integer("version")
    url = parts.url("URL")
    originalURL = parts.url("originalURL")
    title = parts.text("title")
    summary = parts.text("summary")
    siteName = parts.text("siteName")
    itemType = parts.text("itemType")
    creatorFacebookProfile = parts.text("creatorFacebookProfile")
    usesActivityPub = parts.bool("usesActivityPub")
    icon = parts.any("icon")
    iconMetadata = parts.any("iconMetadata")
    icons = parts.any("icons")
    image = parts.any("image")
    imageMetadata = parts.any("imageMetadata")
    images = parts.any("images")
    alternateImages = parts.any("alternateImages")
  }
}

/// A picture or an icon in the metadata of a link, or what is known of one: an LPImage, an
/// LPImageMetadata or an LPIconMetadata.
public struct ArchivedLinkImage: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The version of the form.
  public let version: Int?
  /// Where the picture is.
  public let url: String?
  /// The size of the picture.
  public let size: ArchivedSize?
  /// The type of the file.
  public let mimeType: String?
  /// The kind of picture.
  public let imageType: Int?
  /// The file.
  public let data: Data?

  static let classNames = ["LPImage", "LPImageMetadata", "LPIconMetadata"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    version = parts.integer("version")
    url = parts.url("URL")
    size = parts.size("size")
    mimeType = parts.text("MIMEType")
    imageType = parts.integer("imageType")
    data = parts.data("data")
  }
}
