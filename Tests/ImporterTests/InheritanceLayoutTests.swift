import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Entities that inherit from one another")
struct InheritanceLayoutTests {
  /// Pets have an owner, who may be any of two kinds; dogs chase animals.
  private static let model = Model(entities: [
    Entity(
      name: "Kennel",
      relationships: [
        Relationship(
          name: "dogs", destinations: ["Dog"], isToMany: true, isOrdered: true, inverse: "kennel")
      ]),
    Entity(
      name: "Dog", parent: "Animal", attributes: [Attribute(name: "breed", type: .string)],
      relationships: [
        Relationship(name: "kennel", destinations: ["Kennel"], isToMany: false, inverse: "dogs"),
        Relationship(name: "chases", destinations: ["Animal"], isToMany: true),
      ]),
    Entity(
      name: "Puppy", parent: "Dog", attributes: [Attribute(name: "weeks", type: .integer)]),
    Entity(
      name: "Animal", isAbstract: true, attributes: [Attribute(name: "name", type: .string)]),
    Entity(name: "Cat", parent: "Animal"),
  ])

  private static func convert() throws -> ConvertedStore {
    try ConvertedStore(
      model,
      [
        .graph(
          .init("Kennel", ["dogs": .array([2, 1])]),
          .init("Dog", ["name": .plain("Rex"), "breed": .plain("Pug"), "chases": .set([3, 2])]),
          .init("Puppy", ["name": .plain("Bo"), "weeks": .plain(9), "chases": .set([1])]),
          .init("Cat", ["name": .plain("Tom")]))
      ])
  }

  @Test("share the table of their root, with a column that tells them apart")
  func table() throws {
    let converted = try Self.convert()
    #expect(try converted.tables() == ["Kennel", "Animal", "Dog_chases"])
    #expect(
      try converted.store.columns("Animal") == [
        "id INTEGER", "_entity TEXT", "name TEXT", "breed TEXT", "kennel_id INTEGER",
        "weeks INTEGER", "dogs_position INTEGER",
      ])
    #expect(
      try converted.lines("SELECT * FROM Animal") == [
        "1|Dog|Rex|Pug|1|NULL|1", "2|Puppy|Bo|NULL|1|9|0", "3|Cat|Tom|NULL|NULL|NULL|NULL",
      ])
    #expect(try converted.store.columns("Kennel") == ["id INTEGER"])
    #expect(converted.conflicts == [])
  }

  @Test("have a view each, with their own columns and the rows of those that inherit from them")
  func views() throws {
    let converted = try Self.convert()
    #expect(
      try converted.lines("SELECT name FROM sqlite_schema WHERE type = 'view'") == [
        "Dog", "Puppy", "Cat",
      ])
    #expect(
      try converted.lines("SELECT id, name, breed, kennel_id FROM Dog") == [
        "1|Rex|Pug|1", "2|Bo|NULL|1",
      ])
    #expect(try converted.lines("SELECT id, weeks FROM Puppy") == ["2|9"])
    #expect(try converted.lines("SELECT id, name FROM Cat") == ["3|Tom"])
  }

  @Test("have the attributes of texts in their views")
  func attributedTexts() throws {
    let archive = KeyedArchiveBuilder.of("Note") { archive in
      ["body": archive.instance(of: "NSAttributedString", ["NSString": archive.string("x")])]
    }
    let (store, _) = try SteeredConversion(
      [archive],
      mapping: "entities: {Base: {abstract: true}, Note: {parent: Base}}", ImportExtensions()
    ).run()
    #expect(
      try store.lines("SELECT body, body_runs FROM Note") == [
        #"x|{"class":"NSAttributedString","runs":[]}"#
      ])
  }

  @Test("Links lead to the table of the root, also to an entity that the model has further down")
  func links() throws {
    let converted = try Self.convert()
    #expect(
      try converted.store.columns("Dog_chases") == [
        "id INTEGER", "Dog_id INTEGER", "Animal_id INTEGER",
      ])
    #expect(
      try converted.lines("SELECT Dog_id, Animal_id FROM Dog_chases ORDER BY 1, 2") == [
        "1|2", "1|3", "2|1",
      ])
    #expect(
      try converted.lines("SELECT \"from\", \"table\" FROM pragma_foreign_key_list('Dog_chases')")
        .sorted() == ["Animal_id|Animal", "Dog_id|Animal"])
    #expect(
      try converted.lines("SELECT \"from\", \"table\" FROM pragma_foreign_key_list('Animal')")
        == ["kennel_id|Kennel"])
  }

  @Test("A row of another branch is not taken, and is an error")
  func wrongEntity() throws {
    let error = #expect(throws: ConversionError.self) {
      try ConvertedStore(
        Self.model,
        [
          .graph(
            .init("Kennel", ["dogs": .array([1, 2])]), .init("Cat", ["name": .plain("Tom")]),
            .init("Puppy"))
        ])
    }
    let words = error?.messages.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    #expect(
      words == [
        "a0.plist: object 1 (Kennel): Kennel.dogs: cannot refer to a row of this entity (Cat)"
      ])
  }
}
