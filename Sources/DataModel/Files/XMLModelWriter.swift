import ArchiveReader
import Foundation
import Support

/// Writes a model as Xcode keeps it: a folder with its XML and the name of its version.
///
/// What Core Data has no word for is written like this:
///
/// - Names that Core Data does not take are changed (see ``model``).
/// - Attributes of the types `mixed` and `unknown`, and collections of values, become optional
///   transformable attributes.
/// - A relationship to several entities is left out, since it would need an entity that all of them
///   inherit from.
/// - The user info of what it concerns says so, under the keys `archivedClasses`, `archivedKey`,
///   `archivedType`, `collection`, `keepCount`, `keepNegativeZero` and `relationship …`.
///
/// The XML has no place for several version identifiers, for default values that only a
/// transformer understands, and for a greatest count of -1.
public struct XMLModelWriter: Sendable {
  /// The model as it is written, with names that Core Data takes.
  ///
  /// They have ASCII letters, digits and underscores, and begin with a capital letter for an entity
  /// and a small one for a property; an entity's attributes, relationships and collections all have
  /// different ones. Archived keys stay. What got another name has its former one as renaming
  /// identifier. Entities without archived classes come from a Core Data model and keep their
  /// names.
  public let model: Model
  private let entities: [String: Entity]

  /// Prepares to write a model.
  public init(_ model: Model) {
    self.model = model.withCoreDataNames()
    entities = Dictionary(
      self.model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The XML of the model: the file `contents`.
  public func contents() -> String {
    // The versions are those that Xcode writes in a model which no user has saved yet.
    var document = ElementText(
      "model",
      [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
        "lastSavedToolsVersion": "1", "systemVersion": "11A491",
        "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
        "userDefinedModelVersionIdentifier": versionIdentifier,
      ])
    document.children = model.entities.sorted { $0.name.precedesInBytes($1.name) }.map(element)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\(document.text())"
  }

  /// The identifiers of a merged model as one; nil if there is none.
  private var versionIdentifier: String? {
    guard !model.versionIdentifiers.isEmpty else { return nil }
    return model.versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Writes the folder of the model, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, `NAME.xcdatamodeld`, or of a link to one that is to be made.
  ///   - replacing: True if a model that is there gives way: a folder with anything else in it does
  ///     not.
  /// - Throws: An error with the code `unwritable`.
  public func write(to path: String, replacing: Bool = false) throws(ModelError) {
    let folder = try prepare(for: path)
    if replacing, let reason = Self.obstacle(toReplacing: path) {
      throw ModelError(.unwritable, path: path, name: reason)
    }
    do throws(SystemError) {
      try folder.publish(replacing: replacing)
    } catch {
      throw ModelError(.unwritable, path: path, name: error.words)
    }
  }

  /// Writes the folder of the model next to where it is to be.
  ///
  /// - Parameter path: The path that it is to have, or that of a link to it.
  /// - Returns: The folder.
  /// - Throws: An error with the code `unwritable`.
  package func prepare(for path: String) throws(ModelError) -> PreparedFolder {
    let place: OutputDestination
    do throws(SystemError) {
      place = try OutputDestination(withoutLastSlashes(path))
    } catch {
      throw ModelError(.unwritable, path: path, name: error.words)
    }
    let suffix = ".xcdatamodeld"
    let name =
      place.name.hasSuffix(suffix) ? String(place.name.dropLast(suffix.count)) : place.name
    let folder = PreparedFolder(place)
    let version = "\(folder.path)/\(name).xcdatamodel"
    let current = ["_XCCurrentVersionName": "\(name).xcdatamodel"]
    let list = try? PropertyListSerialization.data(
      fromPropertyList: current, format: .xml, options: 0)
    do throws(SystemError) {
      // The folder that it is to be in is not made.
      if !place.folder.isEmpty { _ = try FileSystem.status(of: place.folder) }
      try FileSystem.makeFolders(version)
    } catch {
      throw ModelError(.unwritable, path: path, name: error.words)
    }
    let reason =
      OutputFile.write(contents(), to: version + "/contents")
      ?? OutputFile.write(
        String(decoding: list ?? Data(), as: UTF8.self), to: folder.path + "/.xccurrentversion")
    if let reason { throw ModelError(.unwritable, path: path, name: reason) }
    return folder
  }

  /// Finds why what is at a path must not give way to a model: nothing that is no model does.
  ///
  /// - Parameter path: The path.
  /// - Returns: The reason; nil if there is nothing, or a folder that has versions of a model in it,
  ///   the name of the current one, and no more.
  package static func obstacle(toReplacing path: String) -> String? {
    let path = withoutLastSlashes(path)
    do throws(SystemError) {
      guard let kind = try kind(path) else { return nil }
      guard kind != S_IFLNK else { return "it is a symbolic link" }
      guard kind == S_IFDIR else { return SystemError(ENOTDIR).words }
      for (name, _) in try DirectoryListing(path).entries {
        let isVersion = name.hasSuffix(ModelFolder.sourceEnding)
        let kind = try Self.kind("\(path)/\(name)")
        guard isVersion ? kind == S_IFDIR : name == ModelFolder.currentVersionFileName else {
          return "it contains '\(name)', which is not part of a model"
        }
        guard isVersion else { continue }
        for (inner, _) in try DirectoryListing("\(path)/\(name)").entries
        where !ModelFolder.versionFileNames.contains(inner) {
          return "it contains '\(name)/\(inner)', which is not part of a model"
        }
      }
      return nil
    } catch {
      return error.words
    }
  }

  /// The status of a path, links not followed; nil if nothing is there.
  private static func kind(_ path: String) throws(SystemError) -> mode_t? {
    do throws(SystemError) {
      return try FileSystem.status(of: path, followsLinks: false).st_mode & S_IFMT
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  // MARK: Entities

  private func element(_ entity: Entity) -> ElementText {
    var element = ElementText(
      "entity",
      [
        "name": entity.name, "representedClassName": entity.compiledClassName ?? entity.className,
        "parentEntity": entity.parent,
      ])
    element.add("isAbstract", if: entity.isAbstract)
    element.add("elementID", entity.renamingIdentifier)
    element.add("versionHashModifier", entity.versionHashModifier)
    element.add("syncable", if: true)
    let attributes =
      entity.attributes.map { ($0.name, Self.element($0, isIndexed: entity.hasIndex(of: $0))) }
      + entity.collections.map { ($0.name, Self.element($0)) }
    element.children = attributes.sorted { $0.0.precedesInBytes($1.0) }.map(\.1)
    var userInfo = entity.draftedUserInfo
    let classes = entity.archivedClasses.map(ArchivedName.plain)
    if !classes.isEmpty, classes != [entity.name] {
      userInfo.append(("archivedClasses", classes.joined(separator: ", ")))
    }
    for relationship in entity.relationships.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      if let destination = destination(of: relationship) {
        let inverse = inverse(of: relationship)
        element.children.append(Self.element(relationship, to: destination, inverse: inverse))
      } else {
        userInfo.append(("relationship \(relationship.name)", relationship.words))
      }
    }
    element.children += entity.fetchIndexes.compactMap { Self.element($0, of: entity) }
    if !entity.uniquenessConstraints.isEmpty {
      var constraints = ElementText("uniquenessConstraints")
      constraints.children = entity.uniquenessConstraints.map(Self.element)
      element.children.append(constraints)
    }
    element.addUserInfo(userInfo)
    return element
  }

  private static func element(_ constraint: [String]) -> ElementText {
    var element = ElementText("uniquenessConstraint")
    element.children = constraint.map { ElementText("constraint", ["value": $0]) }
    return element
  }

  // MARK: Relationships between entities

  /// The entity that a relationship leads to, if the model has it and it is the only one.
  private func destination(of relationship: Relationship) -> String? {
    guard relationship.destinations.count == 1 else { return nil }
    return relationship.destinations.first.flatMap { entities[$0]?.name }
  }

  /// The name of the inverse, if each of the two leads to the other.
  private func inverse(of relationship: Relationship) -> String? {
    guard let name = relationship.inverse,
      let other = find(name, of: destination(of: relationship)), other.inverse == relationship.name,
      let back = find(relationship.name, of: destination(of: other)), back.inverse == name
    else { return nil }
    return name
  }

  /// A relationship of an entity or of those that it inherits from.
  private func find(_ name: String, of entity: String?) -> Relationship? {
    var passed: Set<String> = []
    var next = entity
    while let entity = next.flatMap({ entities[$0] }), passed.insert(entity.name).inserted {
      if let found = entity.relationships.first(where: { $0.name == name }) { return found }
      next = entity.parent
    }
    return nil
  }
}

extension Entity {
  /// True if an attribute has an index by its name alone, which its own element can declare.
  ///
  /// The compiler adds such an index to every other one that sorts by the attribute alone; declared
  /// by an element of its own, it would be there twice.
  func hasIndex(of attribute: Attribute) -> Bool {
    fetchIndexes.contains { $0.isOfAttributeAlone && $0.name == attribute.name }
  }
}

extension FetchIndex {
  /// True if the index has the name of the one property that it sorts by, and is for all rows.
  fileprivate var isOfAttributeAlone: Bool { onlyAscendingProperty == name && !isPartial }
}

extension XMLModelWriter {
  /// An index as an element of its own; nil for one that stands in its attribute's, and where a
  /// compiled model did not tell all of it.
  static func element(_ index: FetchIndex, of entity: Entity) -> ElementText? {
    let isAttribute = entity.attributes.contains { $0.name == index.name }
    guard !(index.isOfAttributeAlone && isAttribute) else { return nil }
    guard !index.isPartial || index.predicate != nil,
      index.elements.allSatisfy({ $0.property != nil || $0.expression != nil })
    else { return nil }
    var element = ElementText("fetchIndex", ["name": index.name])
    element.add("partialIndexPredicate", index.predicate)
    element.children = index.elements.map { part in
      ElementText(
        "fetchIndexElement",
        [
          "property": part.property, "expression": part.property == nil ? part.expression : nil,
          "type": part.form == .rTree ? "RTree" : "Binary",
          "order": part.isAscending ? "ascending" : "descending",
        ])
    }
    return element
  }
}
