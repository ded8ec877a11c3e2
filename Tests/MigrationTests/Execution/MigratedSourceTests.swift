import ArchiveReader
import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Migration
import Testing

@Suite("Objects of a new model")
struct MigratedSourceTests {
  private typealias Mapping = MigrationEntityMapping

  /// Notes in folders: each has a folder, a title, and perhaps a picture.
  private static let notes = [
    Entity(
      name: "Folder", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "folder")
      ]),
    Entity(
      name: "Note",
      attributes: [
        Attribute(name: "picture", type: .binary), Attribute(name: "rating", type: .integer16),
        Attribute(name: "title", type: .string),
      ],
      relationships: [
        Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes")
      ]),
  ]

  private static func store() throws -> MadeStore {
    try MadeStore(
      notes,
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRATING, ZPICTURE, ZFOLDER) VALUES
        (1, 2, 1, 'Milk', 3, x'AA', 1), (2, 2, 1, 'Bread', NULL, NULL, 1),
        (4, 2, 1, 'Plan', 5, x'BBCC', 2), (7, 2, 1, NULL, 0, NULL, NULL);
      """)
  }

  private static let folderToFolder = Mapping(
    "Folder", "Folder", ["name": "$source.name"],
    relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")])
  private static let noteToNote = Mapping(
    "Note", "Note", ["rating": "$source.rating", "title": "$source.title"],
    relationships: ["folder": Mapping.made(by: "FolderToFolder", of: "$source.folder")])

  @Test("An attribute moves into an entity of its own, which the other side leads to")
  func split() throws {
    var entities = Self.notes
    entities[1].attributes.removeFirst()
    entities[1].relationships.append(
      Relationship(
        name: "attachments", destinations: ["Attachment"], isToMany: true, inverse: "note"))
    entities.append(
      Entity(
        name: "Attachment", attributes: [Attribute(name: "picture", type: .binary)],
        relationships: [
          Relationship(
            name: "note", destinations: ["Note"], isToMany: false, inverse: "attachments")
        ]))
    let store = try Self.store()
    let migrated = try store.migrated(
      to: entities,
      [
        Self.folderToFolder, Self.noteToNote,
        Mapping(
          "Note", "Attachment", where: "picture != nil", ["picture": "$source.picture"],
          relationships: ["note": Mapping.made(by: "NoteToNote", of: "$source")]),
      ])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Attachment(picture=qg==) note=[Note(rating=3 title="Milk")]"#,
        #"Attachment(picture=u8w=) note=[Note(rating=5 title="Plan")]"#,
        #"Folder(name="Home") notes=[Note(rating=3 title="Milk"), Note(title="Bread")]"#,
        #"Folder(name="Work") notes=[Note(rating=5 title="Plan")]"#,
        "Note(rating=0)",
        #"Note(rating=3 title="Milk") attachments=[Attachment(picture=qg==)] "#
          + #"folder=[Folder(name="Home")]"#,
        #"Note(rating=5 title="Plan") attachments=[Attachment(picture=u8w=)] "#
          + #"folder=[Folder(name="Work")]"#,
        #"Note(title="Bread") folder=[Folder(name="Home")]"#,
      ])
    #expect(checkGraph(migrated) == [])
    let summary = migrated.summary
    #expect(summary.entityMappings.map(\.sourceObjects) == [2, 4, 2])
    #expect(summary.entityMappings.map(\.destinationObjects) == [2, 4, 2])
    #expect(
      summary.entityMappings.map(\.unreadProperties) == [
        [], [], [],
      ])
    #expect(summary.unmigratedObjects == [:])
    #expect(summary.otherObjects == 0)
  }

  @Test("Objects that no entity mapping migrates are counted by entity")
  func unmigrated() throws {
    let store = try Self.store()
    let migrated = try store.migrated(
      to: Self.notes,
      [
        Mapping("Note", "Note", where: "rating > 2", ["title": "$source.title"]),
        Mapping("Note", nil, name: "Unrated", where: "rating == nil"),
      ])
    #expect(
      try StoreContent.lines(migrated) == [#"Note(title="Milk")"#, #"Note(title="Plan")"#])
    #expect(migrated.summary.unmigratedObjects == ["Folder": 2, "Note": 1])
    #expect(migrated.summary.entityMappings.map(\.sourceObjects) == [2, 1])
    #expect(migrated.summary.entityMappings.map(\.destinationObjects) == [2, 0])
  }

  @Test("Several filters give the same objects as one entity mapping")
  func passes() throws {
    let store = try Self.store()
    let whole = try store.migrated(to: Self.notes, [Self.noteToNote, Self.folderToFolder])
    let parts = ["rating <= 3", "rating > 3", "rating == nil"].enumerated().map { index, filter in
      Mapping(
        "Note", "Note", name: "Part\(index)", where: filter,
        ["rating": "$source.rating", "title": "$source.title"],
        relationships: ["folder": Mapping.made(by: "FolderToFolder", of: "$source.folder")])
    }
    let folder = Mapping(
      "Folder", "Folder", ["name": "$source.name"],
      relationships: ["notes": Mapping.made(ofRelationship: "notes")])
    let divided = try store.migrated(to: Self.notes, parts + [folder])
    #expect(try StoreContent.lines(divided) == StoreContent.lines(whole))
    #expect(checkGraph(divided) == [])
  }

  @Test("An object that two filters take is two objects, and linked as both")
  func overlap() throws {
    let parts = ["rating > 2", "rating > 4"].enumerated().map { index, filter in
      Mapping(
        "Note", "Note", name: "Part\(index)", where: filter, ["title": "$source.title"],
        relationships: ["folder": Mapping.made(by: "FolderToFolder", of: "$source.folder")])
    }
    let folder = Mapping(
      "Folder", "Folder", ["name": "$source.name"],
      relationships: ["notes": Mapping.made(ofRelationship: "notes")])
    let migrated = try Self.store().migrated(to: Self.notes, parts + [folder])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Folder(name="Home") notes=[Note(title="Milk")]"#,
        #"Folder(name="Work") notes=[Note(title="Plan"), Note(title="Plan")]"#,
        #"Note(title="Milk") folder=[Folder(name="Home")]"#,
        #"Note(title="Plan") folder=[Folder(name="Work")]"#,
        #"Note(title="Plan") folder=[Folder(name="Work")]"#,
      ])
    #expect(migrated.summary.replacedLinks == 0)
  }

  @Test("One side of a relationship is enough")
  func oneSide() throws {
    let store = try Self.store()
    let both = try store.migrated(to: Self.notes, [Self.noteToNote, Self.folderToFolder])
    var (note, folder) = (Self.noteToNote, Self.folderToFolder)
    note.relationshipMappings = []
    let fromFolder = try store.migrated(to: Self.notes, [note, Self.folderToFolder])
    folder.relationshipMappings = []
    let fromNote = try store.migrated(to: Self.notes, [Self.noteToNote, folder])
    for migrated in [fromFolder, fromNote] {
      #expect(try StoreContent.lines(migrated) == StoreContent.lines(both))
      #expect(checkGraph(migrated) == [])
    }
  }

  @Test("An end that leads to one object leads to the last one that was set")
  func disagreement() throws {
    let store = try Self.store()
    let folder = Mapping(
      "Folder", "Folder", ["name": "$source.name"],
      relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")])
    // Two folders are made of each, and both claim its notes.
    let second = Mapping(
      "Folder", "Folder", name: "Copy", ["name": "$source.name"],
      relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")])
    var note = Self.noteToNote
    note.relationshipMappings = []
    let migrated = try store.migrated(to: Self.notes, [note, folder, second])
    #expect(
      try StoreContent.lines(migrated).filter { $0.hasPrefix("Folder") } == [
        #"Folder(name="Home")"#,
        #"Folder(name="Home") notes=[Note(rating=3 title="Milk"), Note(title="Bread")]"#,
        #"Folder(name="Work")"#, #"Folder(name="Work") notes=[Note(rating=5 title="Plan")]"#,
      ])
    #expect(migrated.summary.replacedLinks == 3)
    #expect(checkGraph(migrated) == [])
  }

  @Test("An entity mapping leaves out subentities that have their own")
  func subentities() throws {
    let entities = [
      Entity(name: "Car", attributes: [Attribute(name: "plate", type: .string)]),
      Entity(name: "Van", parent: "Car"), Entity(name: "SportCar", parent: "Car"),
      Entity(name: "Racer", parent: "SportCar"),
    ]
    let store = try MadeStore(
      entities,
      """
      INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZPLATE)
      SELECT value, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = CASE value % 4
        WHEN 0 THEN 'Car' WHEN 1 THEN 'Van' WHEN 2 THEN 'SportCar' ELSE 'Racer' END), 1, 'P' || value
      FROM json_each('[0, 1, 2, 3]');
      """.replacingOccurrences(of: "SELECT value,", with: "SELECT value + 1,"))
    let migrated = try store.migrated(
      to: entities,
      [
        Mapping("Car", "Car", ["plate": "$source.plate"]),
        Mapping("SportCar", "SportCar", ["plate": "$source.plate"]),
      ])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Car(plate="P0")"#, #"Car(plate="P1")"#, #"SportCar(plate="P2")"#,
        #"SportCar(plate="P3")"#,
      ])
    #expect(checkGraph(migrated) == [])
  }

  @Test("A store keeps its name, and gets the hashes of the new model")
  func metadata() throws {
    let store = try Self.store()
    let source = try store.open()
    let destination = ModelSource(Model(entities: Self.notes))
    let migrated = try MigratedSource(source, by: MappingModel(), to: destination)
    #expect(migrated.metadata.uuid == source.metadata.uuid)
    #expect(migrated.metadata.versionHashes == destination.hashes())
    #expect(migrated.objectCount == 0)
    #expect(checkGraph(migrated) == [])
  }

  @Test("Numbers that no column of Core Data keeps are as they were")
  func exactNumbers() throws {
    let model = ModelSource(
      Model(entities: [
        Entity(
          name: "Item",
          attributes: [
            Attribute(name: "price", type: .decimal), Attribute(name: "rate", type: .double),
          ])
      ]))
    let text = """
      <?xml version="1.0"?>
      <database><object type="Item" id="z101">
      <attribute name="price" type="decimal">12345678901234567890.125</attribute>
      <attribute name="rate" type="double">-0.0</attribute>
      </object></database>
      """
    let source = try XMLStoreSource(ByteStorage(Array(text.utf8)), model: model)
    let mapping = Mapping("Item", "Item", ["price": "$source.price", "rate": "$source.rate"])
    let first = try MigratedSource(
      source, by: MappingModel(entityMappings: [mapping]), to: model)
    let second = try MigratedSource(
      first, by: MappingModel(entityMappings: [mapping]), to: model)
    for migrated in [first, second] {
      #expect(
        try StoreContent.lines(migrated) == [
          "Item(price=decimal 12345678901234567890.125 rate=-0.0)"
        ])
    }
  }
}
