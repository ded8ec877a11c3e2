import Foundation

extension KeyedUnarchiver {
  /// A plain value, copied out of the archive.
  func plain(
    _ value: ArchivedValue, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> DecodedValue {
    try spend(at: place) { (budget) throws(ArchiveError) in
      try budget.spend(on: value, &reader)
    }
    return switch value {
    case .null, .object, .collection: .null
    case .nsNull: .nsNull
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let offset): .wideInteger(reader.table.wideInteger(at: offset))
    case .real(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): .text(reader.table.string(text))
    case .data(let range): .data(Data(reader.table.bytes(range)))
    case .uuid(let range):
      UUID(uuidString: UUIDText.text(reader.table.bytes(range))).map { .uuid($0) } ?? .null
    case .decimal(let decimal): .decimal(decimal.decimal)
    case .url(let uid): reader.urlText(uid).map { .url($0) } ?? .null
    case .className(let id): .className(ArchivedName.plain(reader.classes[id.index].name))
    case .foundation(let uid, let id):
      if let value = try reader.foundationValue(uid) {
        .foundation(value)
      } else {
        throw ArchiveError(
          .misfitObject, at: .object(uid, key: nil), name: reader.classes[id.index].name)
      }
    }
  }
  /// Spends something of what may still be decoded.
  func spend(
    at place: ArchiveError.Position,
    _ body: (inout ExpansionBudget) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    do { try body(&budget) } catch { throw error.placed(at: place) }
  }
}
