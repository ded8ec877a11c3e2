import Importer

extension ConversionReport.Archive {
  /// What few archives have: none of it was rejected, is damaged, or inside of another.
  struct Details: Sendable, Hashable {
    var error: String?
    var forbiddenCharacters = 0
    var seenThrough = 0
    var damages: [ConversionReport.Damage] = []
    var damageCount = 0
    var unlistedDamages = UnlistedEntries()
    var place: NestedLocation?
    var duplicateOf: String?
    var store: String?
    var skipped: SkippedFile?
  }

  /// Why it was rejected.
  public var error: String? {
    get { details.error }
    set { details.error = newValue }
  }

  /// How many control characters the XML holds that XML forbids.
  ///
  /// They were kept.
  public var forbiddenCharacters: Int {
    get { details.forbiddenCharacters }
    set { details.forbiddenCharacters = newValue }
  }

  /// How many wrappers were seen through.
  public var seenThrough: Int {
    get { details.seenThrough }
    set { details.seenThrough = newValue }
  }

  /// What could not be read of it, where the rest was converted, up to a limit.
  public var damages: [ConversionReport.Damage] {
    get { details.damages }
    set { details.damages = newValue }
  }

  /// How many damages there are in all.
  public var damageCount: Int {
    get { details.damageCount }
    set { details.damageCount = newValue }
  }

  /// Those that are not listed, where they are kept.
  package var unlistedDamages: UnlistedEntries {
    get { details.unlistedDamages }
    set { details.unlistedDamages = newValue }
  }

  /// Its location, if it is nested in another archive.
  public var place: NestedLocation? {
    get { details.place }
    set { details.place = newValue }
  }

  /// The archive with the same bytes that was converted in its place, in the same run.
  public var duplicateOf: String? {
    get { details.duplicateOf }
    set { details.duplicateOf = newValue }
  }

  /// The path of its store, where each archive has one of its own.
  public var store: String? {
    get { details.store }
    set { details.store = newValue }
  }

  /// What it is, if it is no keyed archive: only the coded form lists those among the archives.
  var skipped: SkippedFile? {
    get { details.skipped }
    set { details.skipped = newValue }
  }
}
