import ArchiveReader
import Foundation

extension ObjectReader {
  /// A plain value, copied out of the archive; nothing for objects and collections.
  mutating func importValue(ofPlain value: ArchivedValue) -> ImportValue {
    switch value {
    case .null, .nsNull, .object, .collection: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let offset): return ImportValue(table.wideInteger(at: offset))
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): return .text(table.string(text))
    case .data(let range): return .data(Data(table.bytes(range)))
    case .uuid(let range):
      return UUID(uuidString: UUIDText.text(table.bytes(range))).map { .uuid($0) } ?? .null
    case .decimal(let decimal): return decimal.isNaN ? .real(.nan) : .decimal(decimal.decimal)
    case .url(let uid): return urlText(uid).map { .url($0) } ?? .null
    case .foundation(let uid, _):
      // The census has read it: it fails only if the file has changed since.
      return (try? foundationValue(uid)).map { .foundation($0) } ?? .null
    case .className(let id): return .text(ArchivedName.plain(classes[id.index].name))
    }
  }
}
