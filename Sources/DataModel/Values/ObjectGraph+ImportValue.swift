import ArchiveReader
import Foundation

extension ObjectGraph {
  /// A plain value, copied out of the archive; nothing for objects and collections.
  package func importValue(ofPlain value: GraphValue) -> ImportValue {
    switch value {
    case .null, .nsNull, .object, .collection: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let wide): return ImportValue(wide.value)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): return .text(text.string)
    case .data(let bytes): return .data(bytes.data)
    case .uuid(let bytes):
      return UUID(bytes).map { .uuid($0) } ?? .null
    case .decimal(let decimal): return decimal.isNaN ? .real(.nan) : .decimal(decimal.decimal)
    case .url(let text): return .url(text.string)
    case .relativeURL(let uid): return urlText(uid).map { .url($0) } ?? .null
    case .foundation(let uid, _):
      // The profile has read it: it fails only if the file has changed since.
      return (try? foundationValue(uid)).map { .foundation($0) } ?? .null
    case .className(let id): return .text(ArchivedName.plain(classes[id.index].name))
    }
  }
}
