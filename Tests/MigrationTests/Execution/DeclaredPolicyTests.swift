import Converter
import DataModel
import GraphTesting
import Mappings
import Migration
import Testing

@Suite("Policies that a mapping file declares")
struct DeclaredPolicyTests {
  private typealias Mapping = MigrationEntityMapping

  private static let notes = [
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "amount", type: .string), Attribute(name: "rank", type: .integer32),
        Attribute(name: "tags", type: .string), Attribute(name: "title", type: .string),
      ]),
    Entity(name: "Tag", attributes: [Attribute(name: "name", type: .string)]),
  ]

  private static let tagged = [
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "amount", type: .decimal), Attribute(name: "heading", type: .string),
        Attribute(name: "isNew", type: .boolean), Attribute(name: "rank", type: .integer32),
      ],
      relationships: [
        Relationship(name: "tags", destinations: ["Tag"], isToMany: true, inverse: "notes")
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "tags")
      ]),
  ]

  private static let mappings = [
    Mapping(
      "Note", "Note", policy: "App.NotePolicy",
      ["amount": "FUNCTION($entityPolicy, \"decimal:\", $source.amount)", "rank": "$source.rank"]),
    Mapping("Tag", "Tag", ["name": "$source.name"]),
  ]

  private static func store(_ notes: String, tags: String = "(1, 2, 1, 'Home')") throws -> MadeStore
  {
    try MadeStore(
      Self.notes,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZRANK, ZTAGS, ZTITLE) VALUES \(notes);"
        + "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES \(tags);")
  }

  private static func migrated(
    _ store: MadeStore, _ block: String, _ mappings: [MigrationEntityMapping] = mappings
  ) throws -> MigratedSource {
    let mapping = try Mappings.Mapping(
      yaml: "policies:\n  NotePolicy: \(block)\n", path: "map.yaml")
    return try store.migrated(
      to: tagged, mappings, declarations: PolicyDeclarations(mapping, path: "map.yaml"))
  }

  @Test("make what they name, and leave the rest to the mapping model")
  func properties() throws {
    let store = try Self.store(
      "(1, 1, 1, '1.50', 1, 'Home, work,, work', 'One'), (2, 1, 1, ' 2 ', 2, NULL, NULL), "
        + "(3, 1, 1, NULL, 3, ' , ', 'Three'), (4, 1, 1, '4', 4, 'HOME', 'Four')")
    let migrated = try Self.migrated(
      store,
      """
      {attributes: {amount: {convert: number}, heading: {from: title, default: none},
          isNew: {value: true}},
        relationships: {tags: {split: ",", into: Tag, by: name, fold: case}}}
      """)
    let lines = try StoreContent.lines(migrated).filter { $0.hasPrefix("Note") }
    #expect(
      lines == [
        #"Note(amount=decimal 1.5 heading="One" isNew=true rank=1) tags=[Tag(name="Home"), "#
          + #"Tag(name="work")]"#,
        #"Note(amount=decimal 2 heading="none" isNew=true rank=2)"#,
        #"Note(amount=decimal 4 heading="Four" isNew=true rank=4) tags=[Tag(name="Home")]"#,
        #"Note(heading="Three" isNew=true rank=3)"#,
      ])
    #expect(checkGraph(migrated) == [])
    let summary = migrated.summary.description
    #expect(
      summary == """
        NoteToNote: 4 Note to 4 Note
          converted: amount (1 lost)
        TagToTag: 1 Tag to 1 Tag
        made by policies without a source object: 1
        """)
  }

  @Test("can be for one entity mapping of several")
  func narrowed() throws {
    let store = try Self.store("(1, 1, 1, '1', 1, NULL, 'One'), (2, 1, 1, '2', 2, NULL, 'Two')")
    let migrated = try Self.migrated(
      store,
      """

          - {mapping: First, attributes: {heading: title}}
          - {attributes: {heading: {value: other}}}
      """,
      [
        Mapping("Note", "Note", name: "First", where: "rank == 1", policy: "NotePolicy"),
        Mapping("Note", "Note", name: "Second", where: "rank == 2", policy: "NotePolicy"),
      ])
    #expect(
      try StoreContent.lines(migrated).filter { $0.contains("heading") }.map { line in
        line.contains("One") ? "One" : line.contains("other") ? "other" : line
      } == ["One", "other"])
  }

  private static let mistakes: KeyValuePairs = [
    "{attributes: {amout: {convert: number}}}":
      "map.yaml:2:29: unknown property 'Note.amout' (did you mean 'amount'?)",
    "{attributes: {tags: {value: 1}, amount: {from: amont}}}":
      "map.yaml:2:29: unknown property 'Note.tags'\n"
      + "map.yaml:2:62: unknown property 'Note.amont' (did you mean 'amount'?)",
    "{attributes: {amount: {convert: archive}}}":
      "map.yaml:2:47: invalid conversion of 'amount': a store has no archive to take",
    "{attributes: {amount: {default: [], convert: number}}}":
      "map.yaml:2:47: expected a plain value, found an empty list",
    "{attributes: {amount: }, relationships: {tags: {into: Tog, by: name}}}":
      "map.yaml:2:69: unknown entity 'Tog' (did you mean 'Tag'?)",
    "{attributes: {amount: }, relationships: {tags: {into: Note, by: rank}}}":
      "map.yaml:2:69: 'tags' contradicts the model: it leads to Tag",
    "{attributes: {amount: }, relationships: {tags: {by: nam}}}":
      "map.yaml:2:67: unknown property 'Tag.nam' (did you mean 'name'?)",
    "{attributes: {amount: {value: much}}}":
      "map.yaml:2:45: invalid conversion of 'amount': its value is text, its type decimal",
    "{attributes: {heading: title}}":
      "entity mapping NoteToNote.amount: its value calls the function decimal: of the policy: the "
      + "block under 'policies' has to name it",
    "{attributes: {amount: {convert: number}}}":
      "App.NotePolicy, mapping 'NoteToNote', Note 7: 'amount': the text is not a number",
    "{attributes: {amount: , rank: {from: title}}}":
      "App.NotePolicy, mapping 'NoteToNote', Note 7: 'amount': it cannot hold text",
  ]

  @Test("have to fit the models and the values", arguments: Array(mistakes))
  func mistake(mistake: (key: String, value: String)) throws {
    let store = try Self.store("(7, 1, 1, 'much', 1, NULL, 'One')")
    let error = #expect(throws: (any Error).self) { try Self.migrated(store, mistake.key) }
    #expect(error.map { "\($0)" } == mistake.value)
  }

  @Test(
    "cannot stand beside a policy in Swift, by whichever name",
    arguments: ["NotePolicy", "App.NotePolicy"], ["NotePolicy", "App.NotePolicy"])
  func twice(block: String, registered: String) throws {
    let mapping = try Mappings.Mapping(yaml: "policies: {\(block): {}}", path: "map.yaml")
    let declarations = PolicyDeclarations(mapping, path: "map.yaml")
    let models = [MappingModel(entityMappings: Self.mappings)]
    try declarations.check(models, registered: ["OtherPolicy", "Other.NotePolicy"])
    let error = #expect(throws: MappingError.self) {
      try declarations.check(models, registered: [registered])
    }
    #expect(
      error.map { "\($0)" }
        == "map.yaml:1:12: the policy '\(block)' is registered in Swift as well: remove the block or "
        + "the class")
  }
}
