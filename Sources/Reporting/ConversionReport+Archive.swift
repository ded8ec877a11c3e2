import ArchiveReader

extension ConversionReport {
  /// A part of an archive that could not be read.
  public struct Damage: Sendable, Hashable, Codable {
    /// The object; nil if it is not known.
    public var uid: Int?
    /// Its key, or the top-level key.
    public var key: String?
    /// The error in words, with the place.
    public var reason: String

    init(_ error: ArchiveError) {
      if case .object(let uid, let key) = error.position { (self.uid, self.key) = (uid, key) }
      if case .topLevelKey(let key) = error.position { self.key = key }
      reason = "\(error)"
    }
  }

  /// A part of an archive that could not be read, with the archive.
  struct LocatedDamage: Encodable {
    private enum CodingKeys: String, CodingKey {
      case archive
    }

    private let archive: String
    private let damage: Damage

    init(archive: String, _ damage: Damage) { (self.archive, self.damage) = (archive, damage) }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(archive, forKey: .archive)
      try damage.encode(to: encoder)
    }
  }

  /// An archive and what became of it.
  @dynamicMemberLookup
  public struct Archive: Sendable, Hashable {
    /// The outcome of an archive.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
      /// All of it is in the store.
      case converted
      /// It was converted by an earlier run, has the same bytes as one before it, or is no keyed
      /// archive.
      case skipped
      /// None of it is.
      case rejected
    }

    /// The path as it was given or found; for an archive inside of another, that of the other and
    /// the place in it.
    public var path: String
    /// The digest of the file; nil if it could not be read.
    public var sha256: String?
    /// The size of the file.
    public var bytes: Int?
    /// "binary", "xml", or a format of stores; of a file that was rejected, what it looks like.
    public var format: String?
    /// The outcome.
    public var outcome: Outcome
    /// The number of entries in its `$objects`.
    public var objects: Int?
    /// The details that few archives have: one element at most, so that archives without them take
    /// no memory for them.
    private var detailsIfAny: [Details] = []

    /// The details that few archives have.
    var details: Details {
      get { detailsIfAny.first ?? Details() }
      set { detailsIfAny = newValue == Details() ? [] : [newValue] }
    }

    package init(
      path: String, sha256: String? = nil, bytes: Int? = nil, format: String? = nil,
      outcome: Outcome, error: String? = nil, objects: Int? = nil, forbiddenCharacters: Int = 0,
      isEmpty: Bool = false, seenThrough: Int = 0, damages: [ArchiveError] = [],
      damageCount: Int? = nil,
      spill: EntrySpill? = nil,
      place: NestedLocation? = nil, duplicateOf: String? = nil
    ) {
      (self.path, self.sha256, self.bytes, self.format) = (path, sha256, bytes, format)
      (self.outcome, self.objects) = (outcome, objects)
      var details = Details(
        error: error, forbiddenCharacters: forbiddenCharacters, isEmpty: isEmpty,
        seenThrough: seenThrough,
        damages: damages.prefix(Self.maxDamages).map(Damage.init),
        damageCount: damageCount ?? damages.count,
        place: place, duplicateOf: duplicateOf)
      if let spill, damages.count > Self.maxDamages {
        details.unlistedDamages = UnlistedEntries(spill)
        for damage in damages.dropFirst(Self.maxDamages) {
          details.unlistedDamages.add(.damages, LocatedDamage(archive: path, Damage(damage)))
        }
      }
      self.details = details
    }

    /// The greatest number of damages that are listed of an archive.
    private static let maxDamages = 1_000
  }
}

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
