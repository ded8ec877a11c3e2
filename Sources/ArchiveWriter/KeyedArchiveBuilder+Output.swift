import Foundation

extension KeyedArchiveBuilder {
  /// The whole archive as a property list.
  public func propertyList() -> PropertyListValue {
    [
      "$version": version, "$archiver": .string(archiver), "$top": .dictionary(top),
      "$objects": .array(objects),
    ]
  }

  /// The archive in the binary form.
  public func binary(_ writer: BinaryPropertyListWriter = BinaryPropertyListWriter()) -> Data {
    writer.data(for: propertyList())
  }

  /// The archive in the XML form.
  public func xml() throws(PropertyListWritingError) -> Data {
    try XMLPropertyListWriter().data(for: propertyList())
  }

  /// An archive with one object at `root`.
  public static func archive(
    _ makeRoot: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) rethrows -> KeyedArchiveBuilder {
    var archive = KeyedArchiveBuilder()
    archive.setTop("root", try makeRoot(&archive))
    return archive
  }
}
