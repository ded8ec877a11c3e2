import ArchiveReader
import Foundation

/// Reads a compiled model: a `.mom` file, which is a keyed archive of an `NSManagedObjectModel`.
///
/// Objects are told apart by the names of their classes, subclasses included. Objects of other
/// classes, which a model may embed, are passed over.
package struct CompiledModelReader {
  var archive: CompiledModelArchive
  private var declarations = ModelDeclarations()
  private var propertyCount = 0

  /// The model in a file.
  package static func model(
    contentsOf path: String, _ limits: ReadingLimits
  ) throws(ModelError) -> Model {
    let archive = try CompiledModelArchive.reading { () throws(ArchiveError) in
      try KeyedArchive(contentsOf: path, limits: limits)
    }
    return try model(in: archive, limits)
  }

  /// The model in the bytes of a file.
  package static func model(in bytes: Data, _ limits: ReadingLimits) throws(ModelError) -> Model {
    let archive = try CompiledModelArchive.reading { () throws(ArchiveError) in
      try KeyedArchive(bytes: bytes, limits: limits)
    }
    return try model(in: archive, limits)
  }

  private static func model(
    in archive: KeyedArchive, _ limits: ReadingLimits
  ) throws(ModelError) -> Model {
    return try withExtendedLifetime(archive) { () throws(ModelError) in
      var reader = CompiledModelReader(archive: CompiledModelArchive(archive, limits))
      return try reader.model()
    }
  }

  private init(archive: CompiledModelArchive) {
    self.archive = archive
  }

  private mutating func model() throws(ModelError) -> Model {
    guard let model = try archive.root(), archive.isA("NSManagedObjectModel", model) else {
      throw ModelError(.notAModel, name: "its root is not an NSManagedObjectModel")
    }
    let entities = try archive.pairs(of: try archive.value(of: model, "NSEntities"))
    for (key, value) in entities {
      // An empty slot of a dictionary with known keys holds a token.
      guard let entity = try archive.object(value), archive.isA("NSEntityDescription", entity)
      else { continue }
      try declarations.add(try declaration(of: entity, key))
    }
    var identifiers: [String] = []
    for value in try archive.list(try archive.value(of: model, "NSVersionIdentifiers")) {
      if let identifier = try archive.text(value) { identifiers.append(identifier) }
    }
    return try declarations.model(versionIdentifiers: identifiers)
  }

  private mutating func declaration(
    of object: GraphObject, _ key: String
  ) throws(ModelError) -> EntityDeclaration {
    let name = try archive.text(of: object, "NSEntityName") ?? key
    guard !name.isEmpty else { throw ModelError(.missingName, name: "NSEntityDescription") }
    var declaration = EntityDeclaration(Entity(name: name))
    if let parent = try archive.object(try archive.value(of: object, "NSSuperentity")) {
      declaration.entity.parent = try archive.text(of: parent, "NSEntityName") ?? ""
    }
    // A class of Core Data's own stands where the author named none.
    declaration.entity.className = try archive.text(of: object, "NSClassNameForEntity")
      .map { EntityName.plain($0, stripPrefix: nil) }.flatMap {
        $0 == "NSManagedObject" || $0.isEmpty ? nil : $0
      }
    declaration.entity.isAbstract = try archive.flag(of: object, "NSIsAbstract") ?? false
    declaration.entity.renamingIdentifier = try archive.renamingIdentifier(of: object, name)
    declaration.entity.versionHashModifier = try archive.text(of: object, "NSVersionHashModifier")
    for (key, value) in try archive.pairs(of: try archive.value(of: object, "NSProperties")) {
      propertyCount += 1
      guard propertyCount <= ModelDeclarations.Limit.properties else {
        throw ModelError(.tooMany, name: "properties")
      }
      do throws(ModelError) {
        try add(value, key, to: &declaration)
      } catch {
        var error = error
        (error.entity, error.property) = (name, error.property ?? key)
        throw error
      }
    }
    for (key, text) in try archive.userInfo(of: object) {
      declaration.add(userInfo: key, text, to: "entity")
    }
    declaration.entity.uniquenessConstraints = try constraints(of: object)
    declaration.entity.fetchIndexes = try archive.fetchIndexes(of: object)
    if archive.has("NSFetchIndexDescriptions", object) {
      declaration.indexHints.areCompiled = true
    } else {
      declaration.indexHints.compounds = try constraints(of: object, "NSCompoundIndexes")
    }
    return declaration
  }

  /// Adds an attribute or a relationship; fetched properties are left out.
  private mutating func add(
    _ value: GraphValue, _ key: String, to declaration: inout EntityDeclaration
  ) throws(ModelError) {
    guard var property = try archive.object(value) else { return }
    if archive.isA("_NSPropertyDescriptionProxy", property) {
      // An inherited property, told from the own ones when the parent is known.
      let underlying = try archive.value(of: property, "NSUnderlyingProperty")
      guard let object = try archive.object(underlying) else { return }
      property = object
    }
    if archive.isA("NSAttributeDescription", property) {
      let attribute = try archive.attribute(property, key)
      try declaration.add(attribute)
      for (key, text) in try archive.userInfo(of: property) {
        declaration.add(userInfo: key, text, to: "attribute")
      }
      if try archive.flag(of: property, "NSIsIndexed") ?? false {
        declaration.indexHints.attributes.append(attribute.name)
      }
    } else if archive.isA("NSRelationshipDescription", property) {
      try declaration.add(try archive.relationship(property, key))
      for (key, text) in try archive.userInfo(of: property) {
        declaration.add(userInfo: key, text, to: "relationship")
      }
    }
  }

  /// Lists of properties; each is an array of names or of the properties themselves.
  private mutating func constraints(
    of entity: GraphObject, _ key: String = "NSUniqueTuples"
  ) throws(ModelError) -> [[String]] {
    var constraints: [[String]] = []
    for tuple in try archive.list(try archive.value(of: entity, key)) {
      var names: [String] = []
      for element in try archive.list(tuple) {
        if let name = try archive.text(element) {
          names.append(name)
        } else if let property = try archive.object(element),
          let name = try archive.text(of: property, "NSPropertyName")
        {
          names.append(name)
        }
      }
      if !names.isEmpty { constraints.append(names) }
    }
    return constraints
  }
}
