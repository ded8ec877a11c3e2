import Converter
import DataModel
import Migration
import Testing

/// What the summary says of values and links that do not reach the new store.
@Suite("Whatever a migration leaves behind is counted")
struct LeftBehindTests {
  private typealias Mapping = MigrationEntityMapping

  /// Mapping models, and what they come to.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var entities = LeftBehindTests.notes()
    var mappings: [MigrationEntityMapping]
    var summary: String
  }

  /// Notes in folders, with labels; a relationship of notes may lead to one object or to several.
  private static func notes(labels isToMany: Bool = true, folder: String = "notes") -> [Entity] {
    [
      Entity(
        name: "Folder", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: folder, destinations: ["Note"], isToMany: true, inverse: "folder")
        ]),
      Entity(
        name: "Label", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "labels")
        ]),
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "rating", type: .integer16), Attribute(name: "title", type: .string),
        ],
        relationships: [
          Relationship(
            name: "folder", destinations: ["Folder"], isToMany: false, inverse: folder),
          Relationship(
            name: "labels", destinations: ["Label"], isToMany: isToMany, inverse: "notes"),
        ]),
    ]
  }

  private static func store() throws -> MadeStore {
    try MadeStore(
      notes(),
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
      INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red'), (2, 2, 1, 'blue');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRATING, ZFOLDER) VALUES
        (1, 3, 1, 'Milk', 3, 1), (2, 3, 1, 'Plan', 5, 2), (3, 3, 1, NULL, 5, 2);
      INSERT INTO Z_2NOTES (Z_2LABELS, Z_3NOTES) VALUES (1, 1), (2, 1), (2, 2);
      """)
  }

  private static let folders = folders()
  private static func folders(
    _ name: String = "FolderToFolder", where filter: String = "TRUEPREDICATE",
    relationships: KeyValuePairs<String, String> = [:]
  ) -> Mapping {
    Mapping(
      "Folder", "Folder", name: name, where: filter, ["name": "$source.name"],
      relationships: relationships)
  }
  private static let labels = Mapping("Label", "Label", ["name": "$source.name"])
  private static func notes(
    _ name: String = "NoteToNote", where filter: String = "TRUEPREDICATE",
    _ attributes: KeyValuePairs<String, String> = [
      "rating": "$source.rating", "title": "$source.title",
    ],
    folder: String = Mapping.made(by: "FolderToFolder", of: "$source.folder")
  ) -> Mapping {
    Mapping(
      "Note", "Note", name: name, where: filter, attributes,
      relationships: [
        "folder": folder, "labels": Mapping.made(by: "LabelToLabel", of: "$source.labels"),
      ])
  }

  static let cases = [
    Case(
      testDescription: "nothing",
      mappings: [folders, labels, notes()],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
        """),
    Case(
      testDescription: "what the entity mapping of other objects of the entity reads",
      mappings: [
        folders, labels, notes("Good", where: "rating > 4", ["rating": "$source.rating"]),
        notes("Bad", where: "rating <= 4"),
      ],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
        LabelToLabel: 2 Label to 2 Label
        Good: 2 Note to 2 Note
          not read: title (1 value)
          left at the default: title
        Bad: 1 Note to 1 Note
        """),
    Case(
      testDescription: "not what an entity mapping of the same objects reads",
      mappings: [
        folders, labels, notes("All", ["rating": "$source.rating"]),
        notes("Titled", where: "title != nil"),
      ],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
        LabelToLabel: 2 Label to 2 Label
        All: 3 Note to 3 Note
          left at the default: title
        Titled: 2 Note to 2 Note
        """),
    Case(
      testDescription: "links to what another entity mapping made",
      mappings: [
        folders("Home", where: "name == 'Home'"), folders("Others", where: "name != 'Home'"),
        labels, notes(folder: Mapping.made(by: "Home", of: "$source.folder")),
      ],
      summary: """
        Home: 1 Folder to 1 Folder
        Others: 1 Folder to 1 Folder
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
          links left behind: folder (2)
        """),
    Case(
      testDescription: "links that ask an entity mapping of other objects",
      mappings: [
        folders, labels, notes(folder: Mapping.made(by: "LabelToLabel", of: "$source.folder")),
      ],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
          links left behind: folder (3)
        """),
    Case(
      testDescription: "not links that the other side makes",
      mappings: [
        folders("Home", where: "name == 'Home'"),
        folders(
          "Others", where: "name != 'Home'",
          relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")]),
        labels, notes(folder: Mapping.made(by: "Home", of: "$source.folder")),
      ],
      summary: """
        Home: 1 Folder to 1 Folder
        Others: 1 Folder to 1 Folder
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
        """),
    Case(
      testDescription: "links to what is not migrated, seen from either side once",
      mappings: [
        folders(relationships: ["notes": Mapping.made(by: "Rated", of: "$source.notes")]),
        Mapping(
          "Label", "Label", ["name": "$source.name"],
          relationships: ["notes": Mapping.made(by: "Rated", of: "$source.notes")]),
        notes("Rated", where: "rating == 5 AND title != nil"),
      ],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
          links left behind: notes (2)
        LabelToLabel: 2 Label to 2 Label
          links left behind: notes (2)
        Rated: 1 Note to 1 Note
        not migrated: 2 Note
        """),
    Case(
      testDescription: "all but one of several objects for a relationship to one",
      entities: notes(labels: false),
      mappings: [folders, labels, notes()],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
        links replaced by others of a to-one relationship: 1
        """),
    Case(
      testDescription: "links that are only counted from the other side",
      entities: notes(folder: "contents"),
      mappings: [
        Mapping("Folder", "Folder", ["name": "CAST($source.notes.@count, 'NSString')"]), labels,
        notes(folder: "nil"),
      ],
      summary: """
        FolderToFolder: 2 Folder to 2 Folder
          not read: name (2 values)
        LabelToLabel: 2 Label to 2 Label
        NoteToNote: 3 Note to 3 Note
          not read: folder (3 values)
        """),
  ]

  @Test("Counted is", arguments: cases)
  func summary(_ example: Case) throws {
    let store = try Self.store()
    let migrated = try store.migrated(to: example.entities, example.mappings)
    let summary = migrated.summary.description
    #expect(summary == example.summary)
  }

  @Test("Objects without a value that the new model demands are counted")
  func missingValues() throws {
    var entities = Self.notes()
    for index in entities[2].attributes.indices { entities[2].attributes[index].isOptional = false }
    entities[2].relationships[0].isOptional = false
    let store = try MadeStore(
      Self.notes(),
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRATING, ZFOLDER) VALUES
        (1, 3, 1, 'Milk', NULL, 1), (2, 3, 1, 'Plan', NULL, NULL), (3, 3, 1, NULL, 5, 1);
      """)
    let folders = Self.folders(
      relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")])
    let migrated = try store.migrated(to: entities, [folders, Self.labels, Self.notes()])
    #expect(
      migrated.summary.description == """
        FolderToFolder: 1 Folder to 1 Folder
        LabelToLabel: 0 Label to 0 Label
        NoteToNote: 3 Note to 3 Note
          mandatory, but without a value: folder (1 object), rating (2 objects), title (1 object)
        """)
  }

  @Test("What only objects of a subentity have is not read by the entity mapping above")
  func subentity() throws {
    let entities = [
      Entity(name: "Animal", attributes: [Attribute(name: "name", type: .string)]),
      Entity(
        name: "Bird", parent: "Animal", attributes: [Attribute(name: "wings", type: .integer)]),
      Entity(
        name: "Fish", parent: "Animal", attributes: [Attribute(name: "fins", type: .integer)]),
    ]
    let store = try MadeStore(
      entities,
      """
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWINGS) VALUES
        (1, 1, 1, 'Cat', NULL), (2, 2, 1, 'Tit', 2), (3, 2, 1, 'Kiwi', NULL);
      """)
    let migrated = try store.migrated(
      to: entities, [Mapping("Animal", "Animal", ["name": "$source.name"])])
    #expect(
      migrated.summary.description == """
        AnimalToAnimal: 3 Animal to 3 Animal
          not read: wings (1 value)
        """)
  }

  @Test("A link to an object that the new relationship cannot hold is counted in an inferred step")
  func inferred() throws {
    func entities(_ owner: String) -> [Entity] {
      let relationship = Relationship(
        name: "shelf", destinations: ["Shelf"], isToMany: false, inverse: "items")
      var all = [
        Entity(name: "Book", parent: "Item", attributes: [Attribute(name: "isbn", type: .string)]),
        Entity(name: "Item", attributes: [Attribute(name: "name", type: .string)]),
        Entity(
          name: "Shelf",
          relationships: [
            Relationship(name: "items", destinations: [owner], isToMany: true, inverse: "shelf")
          ]),
      ]
      if owner == "Book" {
        all[0].relationships = [relationship]
      } else {
        all[1].relationships = [relationship]
      }
      return all
    }
    let store = try MadeStore(
      entities("Item"),
      """
      INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSHELF) VALUES
        (1, 1, 1, 'Pen', 1), (2, 2, 1, 'Atlas', 1), (3, 1, 1, 'Ink', NULL);
      """)
    let inferred = try InferredMapping(from: store.model, to: Model(entities: entities("Book")))
    let migrated = try store.migrated(to: entities("Book"), inferred.model.entityMappings)
    #expect(
      migrated.summary.description == """
        IEM_Transform_Book: 1 Book to 1 Book
        IEM_Transform_Item: 2 Item to 2 Item
        IEM_Transform_Shelf: 1 Shelf to 1 Shelf
          links left behind: items (1)
        """)
  }
}
