import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Migration
import TestSupport
import Testing

@Suite("Migrations of damaged stores")
struct DamagedMigrationTests {
  private typealias Mapping = MigrationEntityMapping

  private static let entities = [
    Entity(
      name: "Folder", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "folder")
      ]),
    Entity(
      name: "Note", attributes: [Attribute(name: "title", type: .string)],
      relationships: [
        Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes")
      ]),
  ]

  private static let folder = Mapping("Folder", "Folder", ["name": "$source.name"])
  private static let note = Mapping(
    "Note", "Note", ["title": "$source.title"],
    relationships: ["folder": Mapping.made(by: "FolderToFolder", of: "$source.folder")])
  private static let back = Mapping(
    "Folder", "Folder", ["name": "$source.name"],
    relationships: ["notes": Mapping.made(by: "NoteToNote", of: "$source.notes")])

  @Test("A reference to nothing is an error at the object that has it")
  func dangling() throws {
    let store = try MadeStore(
      Self.entities,
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFOLDER) VALUES (1, 2, 1, 'Milk', 9);
      """)
    for folder in [Self.back, Self.folder] {
      let error = #expect(throws: ArchiveError.self) {
        try store.migrated(to: Self.entities, [Self.note, folder])
      }
      #expect(error?.code == .danglingReference)
      #expect(error?.position == .record("Note 1", property: "folder"))
    }
  }

  @Test("A store that is salvaged is migrated as far as it can be read")
  func salvaged() throws {
    let store = try MadeStore(
      Self.entities,
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFOLDER) VALUES (1, 2, 1, 'Milk', 9),
        (3, 2, 1, x'FF', 1);
      """)
    let source = try store.open(salvages: true)
    let migrated = try MigratedSource(
      source, by: MappingModel(entityMappings: [Self.note, Self.folder]),
      to: ModelSource(Model(entities: Self.entities)))
    #expect(
      try StoreContent.lines(migrated) == [
        #"Folder(name="Home") notes=[Note()]"#, #"Note() folder=[Folder(name="Home")]"#,
        #"Note(title="Milk")"#,
      ])
    #expect(migrated.losses == source.losses)
    #expect(!source.losses.isEmpty)
    #expect(checkGraph(migrated) == [])
  }

  @Test("Any damage to a store ends in an error or a graph that keeps the laws", arguments: 0..<60)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try MadeStore(
      Self.entities,
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFOLDER) VALUES (1, 2, 1, 'Milk', 1),
        (2, 2, 1, 'Bread', 1), (5, 2, 1, 'Plan', 2);
      """)
    try store.damage { bytes in
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if seed % 5 == 0 { bytes.removeLast(bytes.count / 3) }
    }
    guard let source = try? store.open(salvages: seed % 2 == 0) else { return }
    for mappings in [[Self.note, Self.back], [Self.note, Self.folder]] {
      guard
        let migrated = try? MigratedSource(
          source, by: MappingModel(entityMappings: mappings),
          to: ModelSource(Model(entities: Self.entities)))
      else { continue }
      #expect(checkGraph(migrated) == [])
    }
  }
}
