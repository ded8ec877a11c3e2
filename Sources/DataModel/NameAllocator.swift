import Foundation
import Support

/// Gives each of several things a name of its own, as SQLite compares names, without regard to the
/// case of ASCII letters, and as people and Swift do, without regard to how Unicode writes a
/// letter.
///
/// A name that is taken gets `_2`, `_3` and so on.
package struct NameAllocator {
  private var taken: Set<String>
  private var lastNumbers: [String: Int] = [:]

  package init(reserved: [String]) {
    taken = []
    for name in reserved { _ = take(name) }
  }

  /// Gives a name.
  ///
  /// - Parameters:
  ///   - wanted: The name to give if it can be had.
  ///   - allows: True if a name can be had for what needs it.
  /// - Returns: The name, or the first with a number after it that is free and allowed.
  package mutating func allocate(
    _ wanted: String, where allows: (String) -> Bool = { _ in true }
  ) -> String {
    let name = Self.allowed(wanted)
    if allows(name), take(name) { return name }
    var number = lastNumbers[name.folded] ?? 1
    while true {
      number += 1
      let candidate = "\(name)_\(number)"
      if allows(candidate), take(candidate) {
        lastNumbers[name.folded] = number
        return candidate
      }
    }
  }

  /// Takes a name; returns false, and takes nothing, if there is one like it.
  private mutating func take(_ name: String) -> Bool {
    let forms = Self.forms(name)
    guard taken.isDisjoint(with: forms) else { return false }
    taken.formUnion(forms)
    return true
  }

  /// The forms of a name by which it is compared with others: as SQLite folds it, and as it would
  /// fold what it looks like.
  ///
  /// To Swift, the sign for kelvin is a K.
  package static func forms(_ name: String) -> [String] {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return [name.folded] }
    return [name.folded, name.precomposedStringWithCanonicalMapping.folded]
  }

  /// A name that SQLite takes: not empty, without NUL, and without the prefix that it keeps to
  /// itself.
  private static func allowed(_ name: String) -> String {
    let name = name.replacing("\0", with: "\u{FFFD}")
    if name.isEmpty { return "_" }
    return name.folded.hasPrefix("sqlite_") ? "_" + name : name
  }
}

extension Model {
  /// Names that Core Data takes, made from those of archived classes and keys.
  ///
  /// A name has ASCII letters, digits and underscores. That of an entity begins with a capital
  /// letter, that of a property with a small one, as Xcode asks for.
  enum CoreDataName {
    /// The name of an entity: "_private" becomes "Private", "Box<Int>" becomes "Box_Int_".
    static func entity(_ name: String) -> String {
      let name = identifier(name, placeholder: "Entity")
      return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name of a property: "NS.time" becomes "ns_time", "hash" becomes "hash_".
    static func property(_ name: String) -> String {
      let name = lowercasingStart(of: identifier(name, placeholder: "value"))
      return reserved.contains(name) ? "\(name)_" : name
    }

    /// The name with an underscore for each character that is not allowed, and none in front.
    private static func identifier(_ name: String, placeholder: String) -> String {
      let allowed = name.unicodeScalars.map { isAllowed($0) ? Character($0) : "_" }
      let rest = allowed.drop { $0 == "_" }
      guard let first = rest.first else { return placeholder }
      return first.isNumber ? placeholder + rest : String(rest)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: false
      }
    }

    /// "URLString" becomes "urlString", "Title" becomes "title".
    private static func lowercasingStart(of name: String) -> String {
      let capitals = name.prefix(while: \.isUppercase)
      let next = name.dropFirst(capitals.count).first
      // The last one of several begins the next word.
      let count =
        capitals.count > 1 && next?.isLowercase == true ? capitals.count - 1 : capitals.count
      return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    /// Methods without parameters of `NSObject` and `NSManagedObject`, which a property would hide.
    private static let reserved: Set<String> = [
      "attributeKeys", "autoContentAccessingProxy", "autorelease", "awakeFromFetch",
      "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent", "class", "classCode",
      "classDescription", "classForArchiver", "classForCoder", "classForKeyedArchiver",
      "className", "copy", "dealloc", "debugDescription", "deleted", "description", "didSave",
      "didTurnIntoFault", "entity", "fault", "faultingState", "finalize", "hasChanges",
      "hasPersistentChangedValues", "hash", "init", "inserted", "isDeleted", "isFault",
      "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
      "objectSpecifier", "observationInfo", "prepareForDeletion", "release", "retain",
      "retainCount", "self", "superclass", "toManyRelationshipKeys", "toOneRelationshipKeys",
      "updated", "validateForDelete", "validateForInsert", "validateForUpdate", "willSave",
      "willTurnIntoFault", "zone",
    ]
  }
}
