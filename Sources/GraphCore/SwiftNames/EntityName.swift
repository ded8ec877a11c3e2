/// Names of entities from names of classes.
package enum EntityName {
  /// The name of a class without its Swift module and, if asked for, without a prefix.
  ///
  /// "Garden.Plant" becomes "Plant", and so does the mangled "_TtC6Garden5Plant". A prefix goes
  /// only where a capital letter follows it: "MT" turns "MTNote" into "Note" and leaves "MTa" and
  /// "MT" alone.
  package static func plain(_ className: String, stripPrefix: String?) -> String {
    var name = ArchivedName.plain(SwiftName.readable(className))[...]
    if let dot = name.firstIndex(of: "."), isIdentifier(name[..<dot]) {
      let rest = name[name.index(after: dot)...]
      if !rest.isEmpty { name = rest }
    }
    if let stripPrefix, !stripPrefix.isEmpty, name.hasPrefix(stripPrefix),
      let next = name.dropFirst(stripPrefix.count).first, next.isUppercase
    {
      name = name.dropFirst(stripPrefix.count)
    }
    return String(name)
  }

  /// The Swift module that the name of a class begins with; nil where it begins with none.
  package static func module(_ className: String) -> String? {
    let name = SwiftName.readable(className)
    guard let dot = name.firstIndex(of: "."), isIdentifier(name[..<dot]),
      name.index(after: dot) < name.endIndex
    else { return nil }
    return String(name[..<dot])
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
