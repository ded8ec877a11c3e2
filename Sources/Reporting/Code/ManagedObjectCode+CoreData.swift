import DataModel
import Importer

/// Classes for Core Data: properties as Xcode declares them, in an extension of the user's class.
extension ManagedObjectCode {
  /// The start of the class, which is the user's own.
  func coreDataClass(_ form: Class) -> String {
    let parent = parent(form)?.name ?? "NSManagedObject"
    // Objective-C takes the same identifiers for classes.
    let isIdentifier = SwiftSource.identifier(form.modelName) == form.modelName
    let attribute = isIdentifier ? "@objc(\(form.modelName))\n" : ""
    return "import CoreData\n\n\(attribute)class \(form.name): \(parent)"
  }

  func coreDataLines(_ form: Class) -> [String] {
    var lines = [
      "/// The properties of the entity \(SwiftCode.quoted(form.entity.name)).",
      "extension \(form.name) {",
      "  @nonobjc class func fetchRequest() -> NSFetchRequest<\(form.name)> {",
      "    NSFetchRequest(entityName: \(SwiftSource.literal(form.entity.name)))",
      "  }",
      "",
    ]
    for attribute in form.attributes {
      guard let member = Self.member(attribute.name) else {
        lines.append("  // \(SwiftCode.quoted(attribute.name)) is no name in Swift.")
        continue
      }
      lines.append("  @NSManaged var \(member): \(coreDataType(attribute))")
    }
    for relationship in form.relationships {
      guard let member = Self.member(relationship.name), let target = destination(relationship)
      else {
        lines.append("  // \(SwiftCode.quoted(relationship.name)) is no name in Swift.")
        continue
      }
      let type =
        relationship.isToMany
        ? relationship.isOrdered ? "NSOrderedSet" : "Set<\(target.name)>" : "\(target.name)?"
      lines.append("  @NSManaged var \(member): \(type)")
      if relationship.isToMany { lines += accessors(relationship, target.name) }
    }
    return lines + ["}"]
  }

  /// The methods by which single rows are added and removed.
  private func accessors(_ relationship: Relationship, _ target: String) -> [String] {
    let name = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
    var lines = [
      "  @objc(add\(name)Object:) @NSManaged func addTo\(name)(_ value: \(target))",
      "  @objc(remove\(name)Object:) @NSManaged func removeFrom\(name)(_ value: \(target))",
    ]
    if relationship.isOrdered {
      lines.append(
        "  @objc(insertObject:in\(name)AtIndex:) @NSManaged func insertInto\(name)"
          + "(_ value: \(target), at index: Int)")
    }
    return lines
  }

  private func coreDataType(_ attribute: Attribute) -> String {
    guard attribute.isOptional else { return type(of: attribute) ?? "NSObject" }
    switch attribute.type {
    case .boolean, .integer16, .integer32, .integer, .float, .double: return "NSNumber?"
    default: return (type(of: attribute) ?? "NSObject") + "?"
    }
  }
}
