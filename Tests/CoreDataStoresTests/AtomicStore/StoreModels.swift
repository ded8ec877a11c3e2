import CoreDataStores
import DataModel

/// The model of the stores that the tests make.
enum StoreModels {
  /// A library: an abstract entity with two subentities, one of each kind of relationship, and an
  /// entity with attributes of all types.
  static let library = ModelSource(
    Model(
      entities: [
        Entity(
          name: "Item", isAbstract: true,
          attributes: [
            Attribute(name: "title", type: .string),
            Attribute(name: "sortIndex", type: .integer32),
            Attribute(name: "isShown", type: .boolean, isTransient: true),
          ],
          relationships: [
            Relationship(
              name: "parent", destinations: ["Folder"], isToMany: false, inverse: "items"),
            Relationship(
              name: "tags", destinations: ["Tag"], isToMany: true, inverse: "taggedItems"),
          ]),
        Entity(
          name: "Folder", parent: "Item",
          attributes: [Attribute(name: "isOpen", type: .boolean)],
          relationships: [
            Relationship(
              name: "items", destinations: ["Item"], isToMany: true, isOrdered: true,
              inverse: "parent")
          ]),
        Entity(
          name: "Note", parent: "Item",
          attributes: [
            Attribute(name: "URL", type: .uri), Attribute(name: "amount", type: .decimal),
            Attribute(name: "body", type: .binary), Attribute(name: "changed", type: .date),
            Attribute(name: "count", type: .integer), Attribute(name: "ease", type: .double),
            Attribute(name: "id", type: .uuid), Attribute(name: "level", type: .integer16),
            Attribute(name: "style", type: .transformable),
            Attribute(name: "weight", type: .float),
          ]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [
            Relationship(
              name: "taggedItems", destinations: ["Item"], isToMany: true, inverse: "tags")
          ]),
      ], versionIdentifiers: ["1.0"]))

  /// The same, with an attribute that the stores do not have.
  static let later: ModelSource = {
    var model = library.model
    model.entities[3].attributes.append(Attribute(name: "color", type: .string))
    return ModelSource(model)
  }()
}
