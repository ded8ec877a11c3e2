import ArchiveReader

extension ConversionReport {
  /// A part of an archive that could not be read.
  public struct Damage: Sendable, Hashable, Codable {
    /// The object; nil if it is not known.
    public var uid: Int?
    /// Its key, or the top-level key.
    public var key: String?
    /// What is wrong, with the place.
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
  public struct Archive: Sendable, Hashable {
    /// How an archive can end.
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
    /// "binary" or "xml".
    public var format: String?
    /// What became of it.
    public var outcome: Outcome
    /// Why it was rejected.
    public var error: String?
    /// How many entries its `$objects` has.
    public var objects: Int?
    /// How many control characters the XML holds that XML forbids.
    ///
    /// They were kept.
    public var forbiddenCharacters = 0
    /// How many wrappers were seen through.
    public var seenThrough = 0
    /// What could not be read of it, where the rest was converted, up to a limit.
    public var damages: [Damage] = []
    /// How many damages there are in all.
    public var damageCount = 0
    /// Those that are not listed, where they are kept.
    package var unlistedDamages = UnlistedEntries()
    /// Its location, if it is nested in another archive.
    public var place: NestedLocation?
    /// The archive with the same bytes that was converted in its place, in the same run.
    public var duplicateOf: String?
    /// The path of its store, where each archive has one of its own.
    public var store: String?
    /// What it is, if it is no keyed archive: only the coded form lists those among the archives.
    var skipped: SkippedFile?

    package init(
      path: String, sha256: String? = nil, bytes: Int? = nil, format: String? = nil,
      outcome: Outcome, error: String? = nil, objects: Int? = nil, forbiddenCharacters: Int = 0,
      seenThrough: Int = 0, damages: [ArchiveError] = [], spill: EntrySpill? = nil,
      place: NestedLocation? = nil, duplicateOf: String? = nil
    ) {
      (self.path, self.sha256, self.bytes, self.format) = (path, sha256, bytes, format)
      (self.outcome, self.error, self.objects) = (outcome, error, objects)
      (self.forbiddenCharacters, self.seenThrough) = (forbiddenCharacters, seenThrough)
      self.damages = damages.prefix(Self.maxDamages).map(Damage.init)
      damageCount = damages.count
      if let spill, damageCount > Self.maxDamages {
        unlistedDamages = UnlistedEntries(spill)
        for damage in damages.dropFirst(Self.maxDamages) {
          unlistedDamages.add(.damages, LocatedDamage(archive: path, Damage(damage)))
        }
      }
      self.place = place
      self.duplicateOf = duplicateOf
    }

    /// How many damages are listed of an archive.
    private static let maxDamages = 1_000
  }
}
