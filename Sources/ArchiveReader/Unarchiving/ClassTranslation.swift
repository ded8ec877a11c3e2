/// Which class an archived name stands for, where that is not the class of the name.
///
/// An unarchiver has two: its own, and one that is given to all, as `NSKeyedUnarchiver` has
/// `setClass(_:forClassName:)` as a method of instances and of the class. It is a value: nothing is
/// changed after an unarchiver's back.
public struct ClassTranslation: Sendable, ExpressibleByDictionaryLiteral {
  /// What a name stands for.
  enum Target: Sendable {
    case name(String)
    case type(any KeyedDecodable.Type)
  }

  private var targets: [String: Target] = [:]

  /// Creates a translation that changes nothing.
  public init() {}

  /// Creates a translation of names, as a class had them that was renamed or moved.
  ///
  /// - Parameter elements: The archived name, or its plain form, and the name that counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (archived, name) in elements { setName(name, forClassName: archived) }
  }

  /// Lets a name stand for another.
  ///
  /// - Parameters:
  ///   - name: The name of a type that the unarchiver knows, or of a class of Foundation.
  ///   - archived: The archived name, or its plain form.
  public mutating func setName(_ name: String, forClassName archived: String) {
    targets[ArchivedName.text(archived)] = .name(name)
  }

  /// Lets a name stand for a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - archived: The archived name, or its plain form.
  public mutating func setClass(_ type: any KeyedDecodable.Type, forClassName archived: String) {
    targets[ArchivedName.text(archived)] = .type(type)
  }

  /// The archived names that stand for something else.
  var names: some Collection<String> { targets.keys }

  /// What a name stands for; its plain form counts where the archived one is not there.
  func target(of archived: String) -> Target? {
    targets[archived] ?? SwiftName.plain(archived).flatMap { targets[$0] }
  }
}
