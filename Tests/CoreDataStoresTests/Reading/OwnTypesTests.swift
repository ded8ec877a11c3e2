import ArchiveReader
import ArchiveWriter
import CoreDataStores
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("Own types, read from every kind of source")
struct OwnTypesTests {
  final class Folder: KeyedDecodable {
    static let archivedClassNames = ["Folder"]
    let name: String
    private(set) var items: [Item] = []

    init(coder: KeyedCoder) throws {
      name = try coder.decodeString(forKey: "name") ?? ""
      try coder.decodeReferences(to: Item.self, forKey: "items") { self.items = $0 }
    }
  }

  class Item: KeyedDecodable {
    class var archivedClassNames: [String] { ["Item"] }
    let title: String
    private(set) weak var folder: Folder?

    required init(coder: KeyedCoder) throws {
      title = try coder.decodeString(forKey: "title") ?? "none"
      try coder.decodeReference(to: Folder.self, forKey: "folder") { self.folder = $0 }
    }
  }

  final class Note: Item {
    override class var archivedClassNames: [String] { ["Note"] }
    let values: String

    required init(coder: KeyedCoder) throws {
      let price = try coder.decodeDecimal(forKey: "price")
      let photo = try coder.decodeData(forKey: "photo")?.count
      values = [
        "\(try coder.decodeInteger(forKey: "rating"))", price.map { "\($0)" } ?? "nil",
        "\(try coder.decodeBool(forKey: "flag"))", "\(photo ?? 0) bytes",
      ].joined(separator: " ")
      try super.init(coder: coder)
    }
  }

  final class Task: Item {
    override class var archivedClassNames: [String] { ["Task"] }
    let part: String?

    required init(coder: KeyedCoder) throws {
      // In place: a task is no part of itself.
      part = try coder.decodeObject(of: Task.self, forKey: "part")?.title
      try super.init(coder: coder)
    }
  }

  private static let options = UnarchivingOptions(types: [
    Folder.self, Item.self, Note.self, Task.self, Library.self, Book.self,
  ])

  @Test("are made of the rows of a Core Data store, each once")
  func store() throws {
    let sample = try ConvertedSample()
    let unarchiver = try KeyedUnarchiver(
      contentsOf: sample.maker.path, models: [sample.model], options: Self.options)
    let folders = try unarchiver.decodeObjects(of: Folder.self)
    #expect(
      folders.map { "\($0.name): \($0.items.map(\.title))" } == [
        #"Home: ["none", "Milk", "Whole"]"#, #": ["Far"]"#,
      ])
    #expect(folders.allSatisfy { folder in folder.items.allSatisfy { $0.folder === folder } })
    let notes = try unarchiver.decodeObjects(of: Note.self)
    #expect(
      notes.map(\.values) == [
        "-3 10.11 true 2 bytes", "0 7 false 0 bytes", "32767 NaN false 5 bytes",
      ])
    #expect(notes.first === folders.first?.items.dropFirst().first)
    let items = try unarchiver.decodeObjects(of: Item.self)
    #expect(items.compactMap { ($0 as? Task)?.part ?? nil } == ["Whole", "Whole"])
    #expect(items.count == 6)
    // Values and nil are in their places there.
    #expect(unarchiver.adjustments.isEmpty)
    #expect(unarchiver.coder.allKeys == [])
  }

  @Test("need the model of a store that carries none")
  func missingModel() throws {
    let path = try StoreMaker.sample().path
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(contentsOf: path, models: []) }
  }

  // MARK: Records

  struct Library: KeyedDecodable {
    let title: String
    let books: [Book]
    let favourite: Book?

    init(coder: KeyedCoder) throws {
      title = try coder.decodeString(forKey: "title") ?? ""
      books = try coder.decodeArrayOfObjects(forKey: "books") ?? []
      favourite = try coder.decodeObject(forKey: "favourite")
    }
  }

  struct Book: KeyedDecodable {
    let name: String
    let pages: Int

    init(coder: KeyedCoder) throws {
      name = try coder.decodeString(forKey: "name") ?? ""
      pages = try coder.decodeInteger(forKey: "pages")
    }
  }

  private static let books: PropertyListValue = [
    ["name": "One", "pages": 10], ["name": "Two", "pages": 20],
  ]

  @Test("are made of the dictionaries of a plain property list")
  func propertyList() throws {
    let list: PropertyListValue = [
      "title": "All", "books": Self.books, "favourite": ["name": "Two", "pages": 20],
    ]
    var options = Self.options
    for bytes in [
      BinaryPropertyListWriter().data(for: list), try XMLPropertyListWriter().data(for: list),
    ] {
      options.recordClasses = [:]
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver(bytes: bytes, options: options) }
      options.recordClasses = [
        "$top": "Library", "$top.books": "Book", "$top.favourite": "Book",
      ]
      let unarchiver = try KeyedUnarchiver(bytes: bytes, options: options)
      let library = try #require(try unarchiver.decodeRoot(of: Library.self))
      #expect(library.title == "All")
      #expect(library.books.map { "\($0.name) \($0.pages)" } == ["One 10", "Two 20"])
      #expect(library.favourite?.name == "Two")
    }
  }

  // MARK: Archives in archives, and wrappers

  /// Holds another archive as data.
  struct Parcel: KeyedDecodable {
    let library: Library?

    init(coder: KeyedCoder) throws {
      library = try coder.decodeData(forKey: "content").flatMap {
        try KeyedUnarchiver(bytes: $0, options: options).decodeRoot()
      }
    }
  }

  @Test("are made of an archive inside of another, by an initializer or as a source of its own")
  func nested() throws {
    let inner = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Library", ["title": archive.string("Inner")])
    }
    let data = Data(inner.binary())
    let outer = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Parcel", ["content": archive.data(data)])
    }
    var options = Self.options
    options.types.append(Parcel.self)
    let parcel = try KeyedUnarchiver(bytes: outer.binary(), options: options)
      .decodeRoot(of: Parcel.self)
    #expect(parcel?.library?.title == "Inner")

    let archive = try KeyedArchive(bytes: outer.binary())
    let found = try #require(try NestedDataFinder.find(in: archive).first)
    let source = try SourceOpener().open(found, in: archive).source
    #expect(
      try KeyedUnarchiver(source, options: options).decodeRoot(of: Library.self)?.title == "Inner")
  }

  @Test("are made of what wrappers hold")
  func wrapped() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let book = archive.instance(of: "Book", ["name": archive.string("Two"), "pages": 2])
      return archive.instance(
        of: "Library", ["favourite": archive.instance(of: "Box", ["value": book])])
    }
    let source = UnwrappedSource.make(
      try KeyedArchive(bytes: archive.binary()), ["Box"], GraphOptions())
    let library = try KeyedUnarchiver(source, options: Self.options).decodeRoot(of: Library.self)
    #expect(library?.favourite?.name == "Two")
  }
}
