import Importer
import Testing

@Suite("Names that Core Data takes")
struct CoreDataNameTests {
  @Test(
    "Names of properties",
    arguments: [
      ("title", "title"), ("Title", "title"), ("URL", "url"), ("URLString", "urlString"),
      ("aB_9", "aB_9"), ("NS.time", "ns_time"), ("_title", "title"), ("$own", "own"),
      ("$0", "value0"), ("", "value"), ("__", "value"), ("a b", "a_b"), ("größe", "gr__e"),
      ("hash", "hash_"), ("description", "description_"), ("Class", "class_"),
      ("objectID", "objectID_"), ("deleted", "deleted_"), ("a\nb\u{301}", "a_b_"),
    ])
  func property(former: String, name: String) {
    let entity = Entity(
      name: "Thing", archivedClasses: ["Thing"],
      attributes: [Attribute(name: former, key: "key", type: .string)])
    let written = XMLModelWriter(Model(entities: [entity])).model.entities.first?.attributes
    let identifier = former == name ? nil : former
    #expect(
      written
        == [Attribute(name: name, key: "key", type: .string, renamingIdentifier: identifier)])
  }

  @Test(
    "Names of entities",
    arguments: [
      ("Note", "Note"), ("note", "Note"), ("_note", "Note"), ("Box<Int>", "Box_Int_"),
      ("1", "Entity1"), ("", "Entity"), ("hash", "Hash"),
    ])
  func entity(former: String, name: String) {
    let model = Model(entities: [Entity(name: former, archivedClasses: ["x"])])
    let written = XMLModelWriter(model).model.entities
    #expect(written.map(\.name) == [name])
    #expect(written.map(\.renamingIdentifier) == [former == name ? nil : former])
  }

  @Test("Each name is told apart from the others and the inherited ones; valid ones stay")
  func collisions() {
    let model = Model(entities: [
      Entity(
        name: "child", archivedClasses: ["c"], parent: "Parent",
        attributes: [
          Attribute(name: "Title", type: .string), Attribute(name: "title", type: .string),
          Attribute(name: "name", type: .string),
        ],
        relationships: [
          Relationship(
            name: "title", destinations: ["child"], isToMany: false, inverse: "Children"),
          Relationship(
            name: "Children", destinations: ["child"], isToMany: true, inverse: "title"),
        ],
        uniquenessConstraints: [["Title", "Name"], ["Children"]]),
      Entity(name: "Child", archivedClasses: ["d"]),
      Entity(
        name: "Parent", archivedClasses: ["p"],
        attributes: [Attribute(name: "Name", type: .string)]),
    ])
    let written = XMLModelWriter(model).model.entities
    #expect(written.map(\.name) == ["Child_2", "Child", "Parent"])
    #expect(written.map(\.renamingIdentifier) == ["child", nil, nil])
    #expect(written[0].attributes.map(\.name) == ["title_2", "title", "name_2"])
    #expect(written[0].attributes.map(\.renamingIdentifier) == ["Title", nil, nil])
    #expect(written[0].relationships.map(\.name) == ["title_3", "children"])
    #expect(written[0].relationships.map(\.inverse) == ["children", "title_3"])
    #expect(written[0].relationships.map(\.destinations) == [["Child_2"], ["Child_2"]])
    #expect(written[0].uniquenessConstraints == [["title_2", "name"], ["children"]])
    #expect(written[2].attributes.map(\.name) == ["name"])
  }

  @Test("A Core Data model keeps its names")
  func coreData() {
    let model = Model(entities: [
      Entity(
        name: "thing",
        attributes: [
          Attribute(name: "Key", type: .string), Attribute(name: "key", type: .string),
          Attribute(name: "updated", type: .date),
        ])
    ])
    #expect(XMLModelWriter(model).model == model)
  }
}
