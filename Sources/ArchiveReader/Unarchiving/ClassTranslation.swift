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
