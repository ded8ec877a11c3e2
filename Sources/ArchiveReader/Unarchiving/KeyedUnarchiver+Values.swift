import Foundation

extension KeyedUnarchiver {
  /// A plain value, copied out of the archive.
  func plain(
    _ value: GraphValue, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> DecodedValue {
    try spend(at: place) { (budget) throws(ArchiveError) in
      try budget.spend(on: value, graph)
    }
    return switch value {
    case .null, .object, .collection: .null
    case .nsNull: .nsNull
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let wide): .wideInteger(wide.value)
    case .real(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): .text(text.string)
    case .data(let bytes): .data(bytes.data)
    case .uuid(let bytes):
      UUID(bytes).map { .uuid($0) } ?? .null
    case .decimal(let decimal): .decimal(decimal.decimal)
    case .url(let text): .url(text.string)
    case .relativeURL(let uid): graph.urlText(uid).map { .url($0) } ?? .null
    case .className(let id): .className(ArchivedName.plain(graph.classes[id.index].name))
    case .foundation(let uid, let id):
      if let value = try graph.foundationValue(uid) {
        .foundation(value)
      } else {
        throw ArchiveError(
          .misfitObject, at: .object(uid, key: nil), name: graph.classes[id.index].name)
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
