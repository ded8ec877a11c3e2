/// An archive as the report in JSON has it: what does not apply is left out.
extension ConversionReport.Archive: Codable {
  /// A file that is no keyed archive.
  init(_ file: SkippedFile) {
    self.init(path: file.path, sha256: file.sha256, bytes: file.bytes, outcome: .skipped)
    details.skipped = file
  }

  private enum CodingKeys: String, CodingKey {
    case path, sha256, bytes, format, outcome, error, objects, forbiddenCharacters
    case isEmpty, seenThrough
    case damages, damagesLeftOut, parent, uid, key, duplicateOf, store, kind, reason
  }

  /// Reads an archive from its coded form.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if it is none.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      path: try fields.decode(String.self, forKey: .path),
      outcome: try fields.decode(Outcome.self, forKey: .outcome))
    var details = Details()
    sha256 = try fields.decodeIfPresent(String.self, forKey: .sha256)
    bytes = try fields.decodeIfPresent(Int.self, forKey: .bytes)
    format = try fields.decodeIfPresent(String.self, forKey: .format)
    details.error = try fields.decodeIfPresent(String.self, forKey: .error)
    objects = try fields.decodeIfPresent(Int.self, forKey: .objects)
    details.forbiddenCharacters =
      try fields.decodeIfPresent(Int.self, forKey: .forbiddenCharacters) ?? 0
    details.isEmpty = try fields.decodeIfPresent(Bool.self, forKey: .isEmpty) ?? false
    details.seenThrough = try fields.decodeIfPresent(Int.self, forKey: .seenThrough) ?? 0
    details.damages =
      try fields.decodeIfPresent([ConversionReport.Damage].self, forKey: .damages) ?? []
    let leftOut = try fields.decodeIfPresent(Int.self, forKey: .damagesLeftOut) ?? 0
    details.damageCount = [details.damages.count, leftOut].boundedSum
    if let outer = try fields.decodeIfPresent(String.self, forKey: .parent) {
      details.place = NestedLocation(
        outer: outer, uid: try fields.decodeIfPresent(Int.self, forKey: .uid),
        key: try fields.decodeIfPresent(String.self, forKey: .key) ?? "")
    }
    details.duplicateOf = try fields.decodeIfPresent(String.self, forKey: .duplicateOf)
    details.store = try fields.decodeIfPresent(String.self, forKey: .store)
    if let kind = try fields.decodeIfPresent(SkippedFile.Kind.self, forKey: .kind) {
      details.skipped = SkippedFile(
        path: path, kind: kind,
        reason: try fields.decodeIfPresent(String.self, forKey: .reason) ?? kind.rawValue,
        bytes: bytes, sha256: sha256)
    }
    self.details = details
  }

  /// Writes the coded form.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let details = details
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(path, forKey: .path)
    try fields.encodeIfPresent(sha256, forKey: .sha256)
    try fields.encodeIfPresent(bytes, forKey: .bytes)
    try fields.encodeIfPresent(format, forKey: .format)
    try fields.encode(outcome, forKey: .outcome)
    try fields.encodeIfPresent(details.error, forKey: .error)
    try fields.encodeIfPresent(objects, forKey: .objects)
    if details.forbiddenCharacters > 0 {
      try fields.encode(details.forbiddenCharacters, forKey: .forbiddenCharacters)
    }
    if details.isEmpty { try fields.encode(true, forKey: .isEmpty) }
    if details.seenThrough > 0 { try fields.encode(details.seenThrough, forKey: .seenThrough) }
    if details.damageCount > 0 {
      try fields.encode(details.damages, forKey: .damages)
      try fields.encode(
        max(0, details.damageCount - details.damages.count), forKey: .damagesLeftOut)
    }
    try fields.encodeIfPresent(details.place?.outer, forKey: .parent)
    try fields.encodeIfPresent(details.place?.uid, forKey: .uid)
    try fields.encodeIfPresent(details.place?.key, forKey: .key)
    try fields.encodeIfPresent(details.duplicateOf, forKey: .duplicateOf)
    try fields.encodeIfPresent(details.store, forKey: .store)
    try fields.encodeIfPresent(details.skipped?.kind, forKey: .kind)
    try fields.encodeIfPresent(details.skipped?.reason, forKey: .reason)
  }
}
