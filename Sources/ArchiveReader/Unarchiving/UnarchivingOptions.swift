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

/// A translation of archived names to other classes than those that they name.
///
/// An unarchiver has two: its own, and one that is given to all, as `NSKeyedUnarchiver` has
/// `setClass(_:forClassName:)` as a method of instances and of the class. It is a value: nothing is
/// changed after an unarchiver's back.
public struct ClassTranslation: Sendable, ExpressibleByDictionaryLiteral {
  private var targets: [String: AllowedClass] = [:]

  /// Creates a translation that changes nothing.
  public init() {}

  /// Creates a translation of archived names, or their plain forms, to the names that count.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (archived, name) in elements { setName(name, forClassName: archived) }
  }

  /// Lets an archived name, or its plain form, stand for that of a known type, or of a class of
  /// Foundation.
  public mutating func setName(_ name: String, forClassName archived: String) {
    targets[ArchivedName.text(archived)] = .name(name)
  }

  /// Lets an archived name, or its plain form, stand for a type.
  public mutating func setClass(_ type: any KeyedDecodable.Type, forClassName archived: String) {
    targets[ArchivedName.text(archived)] = .type(type)
  }

  /// The archived names that stand for something else.
  var names: some Collection<String> { targets.keys }

  /// The class for a name; its plain form counts where the archived one is not there.
  func target(of archived: String) -> AllowedClass? {
    targets[archived] ?? SwiftName.plain(archived).flatMap { targets[$0] }
  }
}

/// A class that may stand under a key: a type of one's own, or a class of Foundation by its name.
public enum AllowedClass: Sendable, ExpressibleByStringLiteral {
  /// A type, and its subclasses.
  case type(any KeyedDecodable.Type)
  /// A class by name: that of a type that the unarchiver knows, or of Foundation's values and
  /// collections ("NSString"; mutable variants are the same).
  case name(String)

  /// A class by name.
  public init(stringLiteral value: String) {
    self = .name(value)
  }

  /// The classes that a property list can hold.
  public static let propertyList: [AllowedClass] = [
    "NSString", "NSNumber", "NSData", "NSDate", "NSArray", "NSDictionary",
  ]
}

/// An archived class for which an unarchiver has no type.
public struct UnknownClass: Sendable, Hashable {
  /// Its name, as archived.
  public var name: String
  /// The names of the class and its superclasses, as archived.
  public var hierarchy: [String]
  /// The classes to use in its place, as the archive suggests (`$classhints`).
  public var hints: [String]

  /// Creates a description of a class.
  public init(name: String, hierarchy: [String], hints: [String]) {
    self.name = name
    self.hierarchy = hierarchy
    self.hints = hints
  }

  /// The substitute for its objects.
  public enum Substitute {
    /// Another type decodes them.
    case type(any KeyedDecodable.Type)
    /// They are read as objects of the class of a name: that of a known type, or of Foundation.
    case className(String)
    /// A value stands for each of them; they are not decoded.
    case value(DecodedValue)
  }
}
