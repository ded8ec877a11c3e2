import ArchiveWriter
import Foundation
import GraphCore

extension GraphValue {
  /// The data by which a Core Data store keeps a value of a transformable attribute: data as it is,
  /// an archive of any other plain value; nil for nil, and for values that are not plain.
  package var archive: Data? {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch self {
    case .data(let bytes): return bytes.data
    case .bool(let value): root = archive.add(.bool(value))
    case .integer(let value): root = archive.add(.integer(value))
    case .wideInteger(let wide):
      guard let value = UInt64(exactly: wide.value) else { return nil }
      root = archive.add(.unsigned(value))
    case .real(let value): root = archive.add(.real(value))
    case .date(let seconds): root = archive.date(secondsSince2001: seconds)
    case .text(let text): root = archive.string(text.string)
    case .url(let text): root = archive.url(text.string)
    case .uuid(let bytes):
      root = archive.instance(of: "NSUUID", ["NS.uuidbytes": .data(bytes.data)])
    case .decimal(let decimal):
      guard let value = try? archive.decimal(decimal.text) else { return nil }
      root = value
    case .null, .nsNull, .relativeURL, .className, .foundation, .object, .collection: return nil
    }
    archive.setTop("root", root)
    return archive.binary()
  }
}
