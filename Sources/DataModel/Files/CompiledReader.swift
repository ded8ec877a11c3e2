import ArchiveReader

extension ArchivedModel {
  /// Reads a compiled model: a keyed archive of an `NSManagedObjectModel`, as in a `.mom` file.
  ///
  /// Objects are told apart by the names of their classes, subclasses included. Objects of other
  /// classes, which a model may embed, are passed over.
  struct CompiledReader {
    /// The class of the root.
    static let rootClass = "NSManagedObjectModel"

    var archive: ModelArchive
    private var declarations = ModelDeclarations()
    private var propertyCount = 0

    /// Prepares to read an archive.
    ///
    /// - Parameter archive: The archive, whose root is of the class `rootClass`.
    init(_ archive: ModelArchive) { self.archive = archive }

    /// Reads the model.
    ///
    /// - Parameter root: The root of the archive.
    /// - Returns: The model.
    /// - Throws: `ModelError` with the entity and property where it can.
    mutating func model(_ root: GraphObject) throws(ModelError) -> Model {
      let entities = try archive.pairs(of: try archive.value(of: root, "NSEntities"))
      for (key, value) in entities {
        // An empty slot of a dictionary with known keys holds a token.
        guard let entity = try archive.object(value), archive.isA("NSEntityDescription", entity)
        else { continue }
        try declarations.add(try declaration(of: entity, key))
      }
      var identifiers: [String] = []
      for value in try archive.list(try archive.value(of: root, "NSVersionIdentifiers")) {
        if let identifier = try archive.text(value) { identifiers.append(identifier) }
      }
      var model = try declarations.model(versionIdentifiers: identifiers)
      model.hasConfigurations = try archive.isSomething(of: root, "NSConfigurations")
      return model
    }

    private mutating func declaration(
      of object: GraphObject, _ key: String
    ) throws(ModelError) -> ModelDeclarations.EntityDeclaration {
      let name = try archive.text(of: object, "NSEntityName") ?? key
      guard !name.isEmpty else { throw ModelError(.missingName, name: "NSEntityDescription") }
      var declaration = ModelDeclarations.EntityDeclaration(Entity(name: name))
      if let parent = try archive.object(try archive.value(of: object, "NSSuperentity")) {
        declaration.entity.parent = try archive.text(of: parent, "NSEntityName") ?? ""
      }
      // A class of Core Data's own stands where the author named none.
      if let className = try archive.text(of: object, "NSClassNameForEntity"),
        className != "NSManagedObject"
      {
        declaration.entity.setClass(className)
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
      _ value: GraphValue, _ key: String, to declaration: inout ModelDeclarations.EntityDeclaration
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
}
