import Importer

extension ConversionReport.Archive {
  /// The details that few archives have: one that was rejected or skipped, is damaged, or is inside
  /// of another.
  ///
  /// Its properties are those of the archive.
  public struct Details: Sendable, Hashable {
    /// Why it was rejected.
    public var error: String?
    /// The number of control characters in the XML that XML forbids.
    ///
    /// They were kept.
    public var forbiddenCharacters = 0
    /// True if the archive has no top-level keys, so that nothing in it is reachable.
    public var isEmpty = false
    /// The number of wrappers that were seen through.
    public var seenThrough = 0
    /// The parts that could not be read, where the rest was converted, up to a limit.
    public var damages: [ConversionReport.Damage] = []
    /// The number of damages in all.
    public var damageCount = 0
    /// The damages that are not listed, where they are kept.
    package var unlistedDamages = UnlistedEntries()
    /// Its location, if it is nested in another archive.
    public var place: NestedLocation?
    /// The archive with the same bytes that was converted in its place, in the same run.
    public var duplicateOf: String?
    /// The path of its store, where each archive has one of its own.
    public var store: String?
    /// The file, if it is no keyed archive: only the coded form lists such files among the
    /// archives.
    var skipped: SkippedFile?
  }

  /// A property of the details.
  public subscript<Value>(dynamicMember property: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: property] }
    set { details[keyPath: property] = newValue }
  }
}
