/// Names of Swift classes as archives have them.
///
/// An archiver writes the name that the Objective-C runtime knows: "Garden.Plant" for a class at
/// the top of a module, and a mangled name for those that are nested, private or generic
/// ("_TtCC6Garden5Plant4Leaf"). The plain form is what one would write in Swift
/// ("Garden.Plant.Leaf").
public enum SwiftName {
  /// The plain form of a mangled name.
  ///
  /// The grammar is that of docs/ABI/OldMangling.rst in Swift's repository, as far as names of
  /// types need it. Names in the mangling of Swift 4 and later never get into archives.
  ///
  /// - Parameter archived: The archived name.
  /// - Returns: The plain form; nil for a name that is not mangled, or of another kind than a type.
  public static func plain(_ archived: String) -> String? {
    guard archived.hasPrefix("_Tt"), archived.utf8.count <= maxBytes else { return nil }
    var demangler = Mangling(archived.utf8.dropFirst(3))
    return demangler.typeName()
  }

  /// The plain form of a name, or the name itself where it has none.
  ///
  /// - Parameter archived: The archived name.
  /// - Returns: The name as one would write it in Swift.
  public static func readable(_ archived: String) -> String { plain(archived) ?? archived }

  /// Names of real classes are far shorter.
  private static let maxBytes = 4096
}
