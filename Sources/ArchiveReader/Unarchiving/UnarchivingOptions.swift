/// The options of a `KeyedUnarchiver`.
public struct UnarchivingOptions: Sendable {
  /// The types that decode objects, for the archived classes of their names.
  ///
  /// Subclasses are listed too: nothing is looked up in the program itself.
  public var types: [any KeyedDecodable.Type]
  /// The translation of names to classes in this unarchiver.
  public var translation: ClassTranslation
  /// The translation of names to classes in all unarchivers that it is given to.
  ///
  /// It is asked where `translation` says nothing.
  public var globalTranslation: ClassTranslation
  /// The classes as whose objects dictionaries are read, by where they stand: `$top` for what the
  /// top-level keys hold together, `$top.notes`, `Note.attributes`.
  ///
  /// With some, any property list is read, as an archive whose top-level keys are its own.
  public var recordClasses: [String: String] = [:]
  /// Strict or lenient, and what an error does.
  public var decoding: DecodingOptions
  /// True if objects are decoded only where a list of classes allows theirs.
  ///
  /// Where no list is given, the one of the enclosing object holds; at the top there is none, and
  /// only values of a property list are decoded.
  public var requiresSecureCoding: Bool
  /// The most levels of objects and collections that are decoded inside of one another.
  ///
  /// Each level takes stack: about five kilobytes without optimization, and what the initializers
  /// take themselves. References (`decodeReference(to:forKey:)`) take none.
  public var depth: Int
  /// The limits on chains of references and shared collections.
  public var limits: ReadingLimits
  /// Says what to do with the objects of a class that nothing else knows; nil for an error.
  public var substitute: (@Sendable (UnknownClass) -> UnknownClass.Substitute?)?
  /// Sees every decoded object, and may put another one in its place.
  public var didDecode: (@Sendable (any KeyedDecodable, KeyedCoder) throws -> any KeyedDecodable)?

  /// Creates options.
  public init(
    types: [any KeyedDecodable.Type] = [], decoding: DecodingOptions = DecodingOptions()
  ) {
    self.types = types
    self.decoding = decoding
    translation = ClassTranslation()
    globalTranslation = ClassTranslation()
    requiresSecureCoding = false
    depth = 100
    limits = .standard
  }
}
