import Converter
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Mapping files, hooks and policies for Core Data stores")
struct StoreMappingTests {
  private let sample: ConvertedSample

  init() throws { sample = try ConvertedSample() }

  private func convert(
    _ mapping: String, _ extensions: ImportExtensions = ImportExtensions()
  ) throws -> (store: StoreQuery, report: ConversionReport, path: String) {
    let path = try sample.maker.folder.write(mapping, to: "mapping.yaml")
    return try sample.convert {
      ($0.mappingPath, $0.extensions) = (path, extensions)
    }
  }

  @Test("a mapping changes what the model says, and the rest stays as it is")
  func changed() throws {
    let (store, report, path) = try convert(
      """
      classes: {Tag: Label, Folder: {ignore: true}}
      entities:
        Memo:
          from: Note
          attributes:
            body: {from: body, type: string}
            percent: {expression: "rating * 10", type: integer}
      """)
    #expect(report.verification?.isPassed == true)
    #expect(try store.flaws() == [])
    #expect(
      try store.lines(
        """
        SELECT type, name FROM sqlite_schema WHERE type <> 'index' AND substr(name, 1, 1) <> '_'
          ORDER BY 1, 2
        """) == [
          "table|Item", "table|Label", "table|Label_narrower", "table|Memo_tags", "view|Memo",
          "view|Task",
        ])
    #expect(
      try store.lines("SELECT id, _entity, title, percent, part_id FROM Item") == [
        "1|Memo|Milk|-30|NULL", "2|Memo|NULL|NULL|NULL", "3|Task|Whole|NULL|NULL",
        "4|Task|First|NULL|3", "5|Memo|Far|327670|NULL", "6|Task|Second|NULL|3",
      ])
    #expect(
      try store.lines("SELECT Memo_id, Label_id FROM Memo_tags ORDER BY 1, 2") == [
        "1|1", "1|2", "5|2",
      ])
    #expect(try sample.differences(in: path) == [])
  }

  /// What a draft from the sample says.
  private static let draft = """
    # How archived objects become rows of a store: a mapping for archive-convert.
    #
    # Drafted from the model of 1 store: store.sqlite.
    # Unchanged, it yields the same store as a run without it. Edit it as needed, then run
    #
    #   archive-convert INPUT... --mapping draft.yaml -o STORE

    classes:
      Folder: Folder
      Item: Item
      Note: Note
      Tag: Tag
      Task: Task

    entities:
      # 2 objects of the entity Folder
      Folder:
        complete: true
        attributes:
          name: {type: string}
        relationships:
          items: {to: Item, toMany: true, ordered: true, inverse: folder}

      # 0 objects of the entity Item
      Item:
        abstract: true
        complete: true
        attributes:
          created: {type: date}
          title: {type: string}
        relationships:
          folder: {to: Folder, toMany: false, inverse: items}

      # 3 objects of the entity Note
      Note:
        parent: Item
        complete: true
        attributes:
          body: {type: string}
          code: {type: uuid}
          extra: {type: transformable}
          flag: {type: boolean}
          link: {type: uri}
          photo: {type: binary}
          price: {type: decimal}
          rating: {type: integer16}
          ratio: {type: double}
        relationships:
          tags: {to: Tag, toMany: true, ordered: false, inverse: notes}

      # 3 objects of the entity Tag
      Tag:
        complete: true
        attributes:
          name: {type: string}
        relationships:
          narrower: {to: Tag, toMany: true, ordered: false, inverse: wider}
          notes: {to: Note, toMany: true, ordered: false, inverse: tags}
          wider: {to: Tag, toMany: true, ordered: false, inverse: narrower}

      # 3 objects of the entity Task
      Task:
        parent: Item
        complete: true
        attributes:
          body: {type: string}
        relationships:
          part: {to: Task, toMany: false, inverse: parts}
          parts: {to: Task, toMany: true, ordered: false, inverse: part}

    """

  @Test("a draft says what the model says, and used unchanged it gives the same store")
  func draft() throws {
    var options = ConversionOptions()
    options.modelPath = sample.model
    let draft = try InferredDraft(inputs: [sample.maker.path], options: options)
    let path = sample.maker.folder.file(named: "draft.yaml")
    try draft.write(mapping: path, model: nil, replacing: false)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.draft)

    let plain = try sample.convert(to: "plain.sqlite")
    let drafted = try sample.convert(to: "drafted.sqlite") { $0.mappingPath = path }
    #expect(
      try drafted.store.content(except: ["_run", "_report", "_archive"])
        == plain.store.content(except: ["_run", "_report", "_archive"]))
  }

  @Test("a draft with its model needs no other to read the store, in either layout")
  func draftWithModel() throws {
    var options = ConversionOptions()
    options.modelPath = sample.model
    let draft = try InferredDraft(inputs: [sample.maker.path], options: options)
    let path = sample.maker.folder.file(named: "draft.yaml")
    try draft.write(
      mapping: path, model: sample.maker.folder.file(named: "Draft.xcdatamodeld"), replacing: false)

    let plain = try sample.convert(to: "plain.sqlite")
    for layout in StoreLayout.allCases {
      let (store, report, _) = try sample.convert {
        ($0.mappingPath, $0.modelPath, $0.layout) = (path, nil, layout)
      }
      #expect(report.verification?.isPassed == true)
      guard layout == .relational else { continue }
      #expect(
        try store.content(except: ["_run", "_report", "_archive"])
          == plain.store.content(except: ["_run", "_report", "_archive"]))
    }
  }

  @Test("names with letters beyond ASCII mean the same in a model, a mapping and a store")
  func unicodeNames() throws {
    let model = Model(entities: [
      Entity(
        name: "Café",
        attributes: [
          Attribute(name: "größe", type: .integer), Attribute(name: "名前", type: .string),
        ])
    ])
    let maker = try StoreMaker(model, "")
    let columns = try StoreQuery(maker.path).lines(
      "SELECT t.name || ' ' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
        + "WHERE t.name LIKE 'ZCAF%' AND c.name LIKE 'Z%'"
    ).map { $0.split(separator: " ").map(String.init) }
    let table = try #require(columns.first?.first)
    let names = columns.map { "\"\($0[1])\"" }.filter { !$0.hasPrefix("\"Z_") }.sorted()
    try maker.edit(
      "INSERT INTO \"\(table)\" (Z_PK, Z_ENT, Z_OPT, \(names.joined(separator: ", "))) "
        + "VALUES (1, 1, 1, 4, 'x');")
    try XMLModelWriter(model).write(to: sample.model, replacing: true)

    let plain = try sample.convert([maker.path])
    #expect(try plain.store.lines("SELECT id, größe, 名前 FROM Café") == ["1|4|x"])
    let mapping = try sample.maker.folder.write(
      "entities: {Café: {attributes: {width: {from: größe, type: string}}}}", to: "m.yaml")
    let mapped = try sample.convert([maker.path]) { $0.mappingPath = mapping }
    #expect(try mapped.store.lines("SELECT id, width, 名前 FROM Café") == ["1|4|x"])
  }

  // MARK: Hooks

  /// Notes whose titles are in capital letters, and which have a tag more.
  private struct NoteHook: ImportHook {
    static let archivedClassNames = ["Note"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let note = try coder.insert(into: "Note")
      note["title"] = try coder.decodeString(forKey: "title")?.uppercased()
      note["created"] = try coder.decodeDate(forKey: "created")
      note["folder"] = try coder.decodeObject(forKey: "folder")
      let tags = try coder.decodeRows(forKey: "tags")
      note["tags"] = .list(
        (tags + [try coder.context.findOrInsert(into: "Tag", identity: ["name": "read"])])
          .map { .row($0.reference) })
      return note
    }
  }

  @Test("hooks read the objects of a store by the names of its entities and properties")
  func hooks() throws {
    let extensions = ImportExtensions(hooks: [NoteHook.self])
    let (store, report, path) = try sample.convert { $0.extensions = extensions }
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT id, title, created, folder_id FROM Note") == [
        "1|MILK|2001-01-01T00:00:00.500Z|1", "2|NULL|2023-03-08T20:26:40.000Z|1", "5|FAR|NULL|2",
      ])
    #expect(
      try store.lines(
        "SELECT Note_id, name FROM Note_tags JOIN Tag ON Tag.id = Tag_id ORDER BY Note_id, Tag.id")
        == [
          "1|red", "1|blue", "1|read", "2|read", "5|blue", "5|read",
        ])
    #expect(try sample.differences(in: path, extensions) == [])
  }

  // MARK: Policies

  /// Tasks that are part of others say so in their titles.
  private final class TaskPolicy: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let row = try manager.createDestinationInstances(forSource: source, in: mapping)
      guard let whole = try source.objects(forKey: "part").first else { return }
      guard case .text(let title) = row["title"],
        case .text(let wholeTitle) = try whole.value(forKey: "title")
      else { return }
      row["title"] = .text("\(wholeTitle): \(title)")
    }
  }

  @Test("policies see the objects of a store as source instances")
  func policies() throws {
    let extensions = ImportExtensions(policies: ["Tasks": TaskPolicy.self])
    let (store, report, path) = try convert("entities: {Task: {policy: Tasks}}", extensions)
    #expect(report.verification?.isPassed == true)
    #expect(
      try store.lines("SELECT id, title, body, part_id FROM Task") == [
        "3|Whole|work|NULL", "4|Whole: First|NULL|3", "6|Whole: Second|NULL|3",
      ])
    #expect(try sample.differences(in: path, extensions) == [])
  }
}
