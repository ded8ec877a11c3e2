import ArchiveWriter
import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphTesting
import Mappings
import Migration
import Testing

@Suite("What policies find and make in a migration")
struct PolicyContextTests {
  private typealias Mapping = MigrationEntityMapping

  private static let old = [
    Entity(
      name: "Book", attributes: [Attribute(name: "genre", type: .string)],
      relationships: [
        Relationship(name: "shelf", destinations: ["Shelf"], isToMany: false, inverse: "books")
      ]),
    Entity(
      name: "Shelf",
      attributes: [
        Attribute(name: "genre", type: .string), Attribute(name: "number", type: .integer32),
      ],
      relationships: [
        Relationship(name: "books", destinations: ["Book"], isToMany: true, inverse: "shelf")
      ]),
  ]

  private static let new = [
    Entity(
      name: "Book",
      attributes: [Attribute(name: "note", type: .string)],
      relationships: [
        Relationship(name: "genre", destinations: ["Genre"], isToMany: false, inverse: "books")
      ]),
    Entity(
      name: "Genre",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "rank", type: .integer16),
      ],
      relationships: [
        Relationship(
          name: "books", destinations: ["Book"], isToMany: true, isOrdered: true, inverse: "genre")
      ]),
    Entity(name: "Subgenre", parent: "Genre"),
    Entity(name: "Form", isAbstract: true),
  ]

  /// Books of some genres, all on shelf 7 of crime.
  private static func store(_ genres: String?...) throws -> MadeStore {
    let rows = genres.enumerated().map { index, genre in
      "(\(index + 1), 1, 1, \(genre.map { "'\($0)'" } ?? "NULL"), 1)"
    }
    return try MadeStore(
      old,
      "INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZGENRE, ZNUMBER) VALUES (1, 2, 1, 'crime', 7); "
        + "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZGENRE, ZSHELF) VALUES "
        + rows.joined(separator: ", ") + ";")
  }

  private static func migrated(
    _ store: MadeStore, _ policy: any MigrationPolicy.Type, shelves: Bool = false
  ) throws -> [String] {
    // An entity mapping without a policy, whose objects are there before the first policy begins.
    let genres = Mapping("Shelf", "Genre", ["name": "$source.genre"])
    let books = Mapping("Book", "Book", policy: "Policy", ["note": "$source.genre"])
    let migrated = try store.migrated(
      to: new, (shelves ? [genres] : []) + [books], policies: ["Policy": policy])
    #expect(checkGraph(migrated) == [])
    return try StoreContent.lines(migrated)
  }

  // MARK: Finding

  /// Finds or makes the genre of each book.
  private class Finding: MigrationPolicy {
    required init() {}

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let book = try manager.createDestinationInstances(forSource: source, in: mapping)
      let genre = try manager.context.findOrInsert(
        into: "Genre", identity: ["name": source.value(forKey: "genre")])
      book["note"] = genre.wasFound ? "found" : "made"
      book["genre"] = genre
    }
  }

  @Test("An object is found by its attributes or made; nothing is not equal to nothing")
  func findOrInsert() throws {
    let store = try Self.store("crime", "crime", "poems", nil, nil, "Crime")
    #expect(
      try Self.migrated(store, Finding.self) == [
        #"Book(note="found") genre=[Genre(name="crime")]"#,
        #"Book(note="made") genre=[Genre()]"#, #"Book(note="made") genre=[Genre()]"#,
        #"Book(note="made") genre=[Genre(name="Crime")]"#,
        #"Book(note="made") genre=[Genre(name="crime")]"#,
        #"Book(note="made") genre=[Genre(name="poems")]"#,
        #"Genre() books=[Book(note="made")]"#, #"Genre() books=[Book(note="made")]"#,
        #"Genre(name="Crime") books=[Book(note="made")]"#,
        #"Genre(name="crime") books=[Book(note="made"), Book(note="found")]"#,
        #"Genre(name="poems") books=[Book(note="made")]"#,
      ])
  }

  @Test("Objects of entity mappings without a policy are found, too")
  func findPlain() throws {
    #expect(
      try Self.migrated(Self.store("crime", "poems"), Finding.self, shelves: true) == [
        #"Book(note="found") genre=[Genre(name="crime")]"#,
        #"Book(note="made") genre=[Genre(name="poems")]"#,
        #"Genre(name="crime") books=[Book(note="found")]"#,
        #"Genre(name="poems") books=[Book(note="made")]"#,
      ])
  }

  /// Changes and deletes what has been found before, and notes what is found then.
  private final class Changing: MigrationPolicy {
    func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
      let context = manager.context
      func find(_ name: String, _ rank: Int? = nil) throws -> DestinationInstance {
        var identity: [String: ImportValue] = ["name": .text(name)]
        if let rank { identity["rank"] = .integer(Int64(rank)) }
        return try context.findOrInsert(into: "Genre", identity: identity)
      }
      let first = try find("a")
      #expect(!first.wasFound)
      first["name"] = "b"
      #expect(try find("b") == first)
      let second = try find("a")
      #expect(!second.wasFound && second != first)
      context.delete(first)
      let third = try find("b")
      #expect(!third.wasFound && third != first)
      third["rank"] = 3
      #expect(try find("b", 3) == third)
      #expect(try !find("b", 4).wasFound)
      let sub = try context.insert(into: "Subgenre")
      sub["name"] = "c"
      #expect(try find("c") == sub)
      #expect(
        try !context.findOrInsert(into: "Subgenre", identity: ["name": "a"]).wasFound)
      // A number of another type is the same once it is converted.
      #expect(
        try context.findOrInsert(into: "Genre", identity: ["name": "b", "rank": .real(3)]) == third)
      #expect(
        try context.fetch("Genre").map { $0["name"] as String? } == ["a", "b", "b", "c", "a"])
      #expect(try context.fetch("Subgenre").map(\.entityName) == ["Subgenre", "Subgenre"])
      #expect(try context.fetch("Genre", where: ["name": "b", "rank": 3]) == [third])
      #expect(context.instance(for: third.reference)["rank"] == 3)
    }
  }

  @Test("What was changed is found by its new values, and what was deleted is not found")
  func changes() throws {
    #expect(
      try Self.migrated(Self.store("crime"), Changing.self) == [
        #"Book(note="crime")"#, #"Genre(name="a")"#, #"Genre(name="b" rank=3)"#,
        #"Genre(name="b" rank=4)"#, #"Subgenre(name="a")"#, #"Subgenre(name="c")"#,
      ])
  }

  // MARK: Sources

  /// Notes what it sees of a book.
  private final class Looking: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let book = try manager.createDestinationInstances(forSource: source, in: mapping)
      let shelf = try #require(try source.objects(forKey: "shelf").first)
      #expect(try manager.sourceInstances(in: source.value(forKey: "shelf")) == [shelf])
      #expect(try manager.sourceInstances(in: book.value) == [source])
      #expect(try shelf.objects(forKey: "books").contains(source))
      #expect(source.archivePath == "")
      #expect(try source.value(forKeyPath: "shelf.number") == .integer(7))
      #expect(mapping.sourceClassNames == ["Book"] && mapping.passName == nil)
      book["note"] = "\(source.className) \(source.uid) \(source.keys) \(shelf.className)"
    }
  }

  @Test("A source instance tells its entity, its properties and what it is linked to")
  func sources() throws {
    #expect(
      try Self.migrated(Self.store("crime", "poems"), Looking.self) == [
        #"Book(note="Book 0 ["genre", "shelf"] Shelf")"#,
        #"Book(note="Book 1 ["genre", "shelf"] Shelf")"#,
      ])
  }

  /// Makes a genre of each element of a set that is archived in a transformable attribute.
  private final class Splitting: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let unarchiving = try ValueConversion([.unarchive])
      guard case .set(let names) = try unarchiving.convert(source.value(forKey: "tags")).value
      else { return }
      for name in names {
        try manager.context.findOrInsert(into: "Genre", identity: ["name": name])
      }
    }
  }

  @Test("A transformable value of an SQLite store is data, which a policy can unarchive")
  func transformable() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.set(["crime", "poems"].map { archive.string($0) })
    }
    let hex = archive.binary().map { byte in
      String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
    }.joined()
    let store = try MadeStore(
      [Entity(name: "Book", attributes: [Attribute(name: "tags", type: .transformable)])],
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTAGS) VALUES (1, 1, 1, X'\(hex)'), "
        + "(2, 1, 1, X'\(hex)');")
    let migrated = try store.migrated(
      to: Self.new, [Mapping("Book", "Book", policy: "Policy")],
      policies: ["Policy": Splitting.self])
    #expect(
      try StoreContent.lines(migrated) == [#"Genre(name="crime")"#, #"Genre(name="poems")"#])
  }

  // MARK: Relationships

  /// Links each book to two genres, one after the other.
  private final class Linking: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let book = try manager.createDestinationInstances(forSource: source, in: mapping)
      let genres = try ["x", "y", "z"].map {
        try manager.context.findOrInsert(into: "Genre", identity: ["name": .text($0)])
      }
      genres[0]["books"] = [book]
      genres[1].add([book], to: "books")
      genres[2].add([book], to: "books")
      genres[2].clear("books")
      book["genre"] = .null
      book["genre"] = [DestinationInstance]()
      #expect(book["genre"] == nil as DestinationInstance?)
      book["genre"] = try source.value(forKey: "genre") == .text("poems") ? genres[1] : genres[0]
      #expect(book["genre"] == genres[1] || book["genre"] == genres[0])
    }
  }

  @Test("Objects are added to a relationship; its inverse follows, and can be emptied")
  func relationships() throws {
    #expect(
      try Self.migrated(Self.store("crime", "poems", "crime"), Linking.self) == [
        #"Book(note="crime") genre=[Genre(name="x")]"#,
        #"Book(note="crime") genre=[Genre(name="x")]"#,
        #"Book(note="poems") genre=[Genre(name="y")]"#,
        #"Genre(name="x") books=[Book(note="crime"), Book(note="crime")]"#,
        #"Genre(name="y") books=[Book(note="poems")]"#, #"Genre(name="z")"#,
      ])
  }

  /// Lets books stand for the genre that another entity mapping made.
  private final class Claiming: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let genre = try #require(try manager.context.fetch("Genre").first)
      manager.associate(source: source, with: genre, for: mapping)
    }

    func endInstanceCreation(
      forMapping mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let genres = try manager.context.fetch("Genre")
      let books = try manager.sourceInstances(forMapping: mapping.name, destinations: genres)
      #expect(try books.map { try $0.value(forKey: "genre") } == [.text("a"), .text("b")])
      let found = manager.destinationInstances(forMapping: mapping.name, sources: books)
      #expect(found == genres + genres)
      #expect(
        try manager.sourceInstances(forMapping: "ShelfToGenre", destinations: genres)
          .map(\.className) == ["Shelf"])
    }
  }

  @Test(
    "An object of an entity mapping without a policy stands for what a policy associates it with")
  func associatingPlain() throws {
    #expect(
      try Self.migrated(Self.store("a", "b"), Claiming.self, shelves: true)
        == [#"Genre(name="crime")"#])
  }

  // MARK: The run

  /// Shares a value with expressions.
  private final class Sharing: MigrationPolicy {
    func begin(_ mapping: MigrationMapping, manager: MigrationManager) {
      manager.userInfo["prefix"] = "old "
      #expect(manager.now == Date(timeIntervalSinceReferenceDate: 1_000))
    }
  }

  @Test("Expressions see what policies share, and policies report their progress")
  func sharing() throws {
    let mapping = Mapping(
      "Book", "Book", policy: "Sharing", ["note": "$manager.userInfo.prefix"])
    var progress: [Double] = []
    let store = try Self.store("crime", "poems", "crime")
    let migrated = try MigratedSource(
      try store.open(), by: MappingModel(entityMappings: [mapping]),
      to: ModelSource(Model(entities: Self.new)),
      MigratedSource.Setting(
        policies: ["Sharing": Sharing.self], now: Date(timeIntervalSinceReferenceDate: 1_000),
        onPolicyProgress: { progress.append($0) }))
    #expect(
      try StoreContent.lines(migrated) == Array(repeating: #"Book(note="old ")"#, count: 3))
    #expect(progress == progress.sorted() && progress.count == 8 && progress.last == 1)
  }

  /// Does what the mapping says, though it says nothing.
  private final class Insisting: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      try manager.createDestinationInstances(forSource: source, in: mapping)
    }
  }

  /// Leaves everything to the mapping.
  private final class Idle: MigrationPolicy {}

  @Test("A policy may see objects that the mapping model leaves behind")
  func leftBehind() throws {
    let mapping = Mapping("Book", nil, name: "Gone", policy: "Policy")
    let store = try Self.store("crime")
    let migrated = try store.migrated(to: Self.new, [mapping], policies: ["Policy": Idle.self])
    #expect(try StoreContent.lines(migrated) == [])
    let error = #expect(throws: MigrationError.self) {
      try store.migrated(to: Self.new, [mapping], policies: ["Policy": Insisting.self])
    }
    #expect(
      error?.description
        == "Insisting.createDestinationInstances, mapping 'Gone': "
        + "the entity mapping 'Gone' has no destination entity")
  }

  /// Keeps a source instance beyond its run.
  private final class Keeping: MigrationPolicy {
    nonisolated(unsafe) static var kept: SourceInstance?

    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let kept = Self.kept ?? source
      Self.kept = source
      try manager.createDestinationInstances(forSource: kept, in: mapping)
    }
  }

  @Test("An instance of another run is refused")
  func otherRun() throws {
    let store = try Self.store("crime")
    defer { Keeping.kept = nil }
    #expect(try Self.migrated(store, Keeping.self) == [#"Book(note="crime")"#])
    let error = #expect(throws: MigrationError.self) { try Self.migrated(store, Keeping.self) }
    #expect(
      error?.description
        == "Keeping.createDestinationInstances, mapping 'BookToBook': "
        + "'Book 0' belongs to another run")
  }
}
