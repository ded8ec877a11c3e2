extension ArchivedField {
  /// The text of a point, a size or a rectangle; nil for nil.
  ///
  /// To lenient coders it may stand in its place, or be held by an NSValue.
  package func geometryText(
    _ valueKey: String, _ expected: String, isStrict: Bool, _ reader: inout ObjectReader
  ) throws(ArchiveError) -> (String?, [DecodingAdjustment.Kind]) {
    if isStrict, !isReference { throw wrongKind(expected: expected) }
    let kinds: [DecodingAdjustment.Kind] = isReference ? [] : [.inlineObject]
    switch value {
    case .null, .nsNull:
      return (nil, kinds)
    case .text(let text):
      return (reader.table.string(text), kinds)
    case .object(let uid, let id), .foundation(let uid, let id):
      guard !isStrict, reader.classes[id.index].name == "NSValue" else {
        throw wrongKind(expected: expected)
      }
      let object = try reader.object(uid)
      guard let position = reader.position(of: valueKey, in: object),
        case .text(let text) = try reader.value(of: object, at: position)
      else { throw wrongKind(expected: expected) }
      return (reader.table.string(text), kinds + [.followedReference])
    default:
      throw wrongKind(expected: expected)
    }
  }
}
