import CoreDataStores
import DataModel
import GraphCore
import Testing

/// XML stores have the names of entities in capitals, and those of properties in small letters.
@Suite("Names in XML stores")
struct XMLStoreNameTests {
  /// The name of an entity, and that of its attribute, in the model and in the store.
  static let names: [(entity: String, type: String, attribute: String, name: String)] = [
    ("Größe", "GRÖSSE", "maß", "maß"), ("Größe", "Größe", "Maß", "maß"),
    ("Größe", "grösse", "Maß", "MASS"), ("ﬁne", "FINE", "ﬂow", "ﬂow"),
    ("İl", "İL", "İl", "i\u{307}l"), ("ʼNa", "ʼNA", "ʼNa", "ŉa"),
    ("Οδος", "ΟΔΟΣ", "ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "ΟΔΟΣ", "Οδος", "οδοσ"),
    ("Ǆem", "ǄEM", "ǅem", "ǆem"), ("Note", "NOTE", "sortIndex", "sortindex"),
  ]

  @Test("are found where their letters have other counterparts", arguments: names)
  func lengths(entity: String, type: String, attribute: String, name: String) throws {
    let source = ModelSource(
      Model(entities: [
        Entity(
          name: entity, attributes: [Attribute(name: attribute, type: .integer)],
          relationships: [
            Relationship(name: "next", destinations: [entity], isToMany: false)
          ])
      ]))
    var file = XMLStoreMaker(
      """
      <object type="\(type)" id="z1"><attribute name="\(name)" type="int64">5</attribute>
      <relationship name="next" type="0/1" destination="\(type)" idrefs="z1"></relationship>
      </object>
      """)
    file.model = nil
    let store = try XMLStoreSource(file.bytes, model: source)
    #expect(StoreReading(store).lines == ["0 \(entity) \(attribute)=5 next=#0"])
    for properties in [[type: Set([name])], [entity: [attribute]]] {
      let versions = ModelVersions([ModelVersion(name: "M", path: "M", source: source)], path: "M")
      #expect(
        try versions.match(.properties(properties), of: "store").version.source.model
          == source.model)
    }
  }

  @Test("are refused where several are the same in capitals")
  func ambiguousNames() throws {
    let model = ModelSource(Model(entities: [Entity(name: "Größe"), Entity(name: "Grösse")]))
    var file = XMLStoreMaker("<object type='GRÖSSE'></object>")
    file.model = nil
    let error = #expect(throws: ArchiveError.self) {
      try XMLStoreSource(file.bytes, model: model)
    }
    #expect(error?.code == .ambiguousName)
  }

  @Test("are told apart where they differ in small letters")
  func smallLetters() throws {
    let model = ModelSource(
      Model(entities: [
        Entity(
          name: "A",
          attributes: [
            Attribute(name: "maß", type: .integer), Attribute(name: "mass", type: .integer),
          ])
      ]))
    var file = XMLStoreMaker(
      """
      <object type="A" id="z1"><attribute name="mass" type="int64">5</attribute>
      <attribute name="maß" type="int64">6</attribute></object>
      """)
    file.model = nil
    #expect(
      StoreReading(try XMLStoreSource(file.bytes, model: model)).lines == ["0 A mass=5 maß=6"])
  }
}
