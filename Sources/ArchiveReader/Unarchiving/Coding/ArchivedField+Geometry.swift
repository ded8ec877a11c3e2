extension ArchivedField {
  /// The text that a point, a size or a rectangle is archived as.
  package struct CoercedGeometry {
    /// The text; nil for nil.
    package var text: String?
    /// What had to be done to get it.
    package var adjustments: [DecodingAdjustment.Kind]
  }
}

extension ArchivedField {
  /// The text of a point, a size or a rectangle; nil for a value of another kind.
  ///
  /// To lenient coders it may stand in its place, or be held by an NSValue.
  package func geometryText(
    _ valueKey: String, isStrict: Bool, _ graph: any ObjectGraph
  ) throws(ArchiveError) -> CoercedGeometry? {
    if isStrict, !isReference { return nil }
    let kinds: [DecodingAdjustment.Kind] = isReference ? [] : [.inlineObject]
    switch value {
    case .null, .nsNull:
      return CoercedGeometry(text: nil, adjustments: kinds)
    case .text(let text):
      return CoercedGeometry(text: text.string, adjustments: kinds)
    case .object(let uid, let id), .foundation(let uid, let id):
      guard !isStrict, graph.classes[id.index].name == "NSValue" else { return nil }
      let object = try graph.object(uid)
      guard let position = graph.position(of: valueKey, in: object),
        case .text(let text) = try graph.value(of: object, at: position)
      else { return nil }
      return CoercedGeometry(
        text: text.string, adjustments: kinds + [.followedReference])
    default:
      return nil
    }
  }
}
