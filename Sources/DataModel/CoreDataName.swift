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
