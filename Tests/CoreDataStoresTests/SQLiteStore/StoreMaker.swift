import CoreDataStores
import DataModel
import Foundation
import TestSupport

/// Makes Core Data stores for tests: a model of notes, and rows that a test writes in SQL.
struct StoreMaker {
  /// Items are notes or tasks, in folders that keep them in order; notes have tags.
  static let model = Model(
    entities: [
      Entity(
        name: "Folder", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "items", destinations: ["Item"], isToMany: true, isOrdered: true,
            inverse: "folder")
        ]),
      Entity(
        name: "Item", isAbstract: true,
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "created", type: .date),
          Attribute(name: "shown", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "items")
        ]),
      Entity(
        name: "Note", parent: "Item",
        attributes: [
          Attribute(name: "body", type: .string), Attribute(name: "rating", type: .integer16),
          Attribute(name: "price", type: .decimal), Attribute(name: "flag", type: .boolean),
          Attribute(name: "ratio", type: .double), Attribute(name: "code", type: .uuid),
          Attribute(name: "link", type: .uri),
          Attribute(name: "photo", type: .binary, allowsExternalBinaryDataStorage: true),
          Attribute(name: "extra", type: .transformable),
        ],
        relationships: [
          Relationship(name: "tags", destinations: ["Tag"], isToMany: true, inverse: "notes")
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "tags"),
          Relationship(name: "wider", destinations: ["Tag"], isToMany: true, inverse: "narrower"),
          Relationship(name: "narrower", destinations: ["Tag"], isToMany: true, inverse: "wider"),
        ]),
      Entity(
        name: "Task", parent: "Item",
        attributes: [Attribute(name: "body", type: .string)],
        relationships: [
          Relationship(name: "part", destinations: ["Task"], isToMany: false, inverse: "parts"),
          Relationship(name: "parts", destinations: ["Task"], isToMany: true, inverse: "part"),
        ]),
    ])

  /// The rows of the sample: two folders, three notes, three tasks and three tags.
  static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, '');
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATED, ZBODY, ZRATING, ZPRICE, ZFLAG, ZRATIO,
        ZCODE, ZLINK, ZPHOTO, ZEXTRA, ZFOLDER, Z_FOK_FOLDER) VALUES
      (1, 3, 1, 'Milk', 0.5, 'Grüße', -3, 10.11, 1, 0.25, x'000102030405060708090A0B0C0D0E0F',
        'https://a.example/', x'01AABB', x'62706C697374', 1, 3072),
      (2, 3, 1, NULL, 700000000, NULL, NULL, 7, 0, 2, NULL, NULL, NULL, NULL, 1, 2048),
      (5, 3, 1, 'Far', NULL, '', 32767, 'NaN', NULL, NULL, NULL, NULL,
        CAST(x'02' || '0F0E0D0C-0B0A-4908-8706-050403020100' || x'00' AS BLOB), NULL, 2, NULL);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY1, ZPART, ZFOLDER, Z_FOK_FOLDER) VALUES
      (3, 4, 1, 'Whole', 'work', NULL, 1, 4096), (4, 4, 1, 'First', NULL, 3, NULL, NULL),
      (6, 4, 1, 'Second', NULL, 3, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, 'red'), (2, 5, 1, 'blue'),
      (3, 5, 1, 'colour');
    INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 1), (1, 2), (5, 2);
    INSERT INTO Z_5WIDER (Z_5NARROWER, Z_5WIDER) VALUES (1, 3), (2, 3);
    INSERT INTO Z_5NARROWER (Z_5NARROWER, Z_5WIDER) VALUES (1, 3), (2, 3);
    UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME
      WHEN 'Folder' THEN 2 WHEN 'Item' THEN 6 WHEN 'Tag' THEN 3 ELSE 0 END;
    """

  /// The name of the file with the photo of note 5.
  static let photoName = "0F0E0D0C-0B0A-4908-8706-050403020100"

  /// The sample, as a graph gives it.
  static let transcript = """
    0 Folder 1: name="Home" items=[Note 2, Note 1, Task 3]
    1 Folder 2: name="" items=[Note 5]
    2 Note 1: body="Grüße" code=uuid 16 bytes created=date 0.5 extra=6 bytes flag=true \
    link=url "https://a.example/" photo=2 bytes price=10.11 rating=-3 ratio=0.25 title="Milk" \
    folder=Folder 1 tags={Tag 1, Tag 2}
    3 Note 2: body=nil code=nil created=date 700000000.0 extra=nil flag=false link=nil photo=nil \
    price=7 rating=nil ratio=2.0 title=nil folder=Folder 1 tags={}
    4 Task 3: body="work" created=nil title="Whole" folder=Folder 1 part=nil \
    parts={Task 4, Task 6}
    5 Task 4: body=nil created=nil title="First" folder=nil part=Task 3 parts={}
    6 Note 5: body="" code=nil created=nil extra=nil flag=nil link=nil photo=5 bytes price=NaN \
    rating=32767 ratio=nil title="Far" folder=Folder 2 tags={Tag 2}
    7 Task 6: body=nil created=nil title="Second" folder=nil part=Task 3 parts={}
    8 Tag 1: name="red" narrower={} notes={Note 1} wider={Tag 3}
    9 Tag 2: name="blue" narrower={} notes={Note 1, Note 5} wider={Tag 3}
    10 Tag 3: name="colour" narrower={Tag 1, Tag 2} notes={} wider={}
    """

  let folder: TemporaryFolder
  let path: String

  /// Makes a store of a model, which it does not carry, and changes it by SQL.
  init(
    _ model: Model = StoreMaker.model, _ sql: String = StoreMaker.rows,
    name: String = "store.sqlite"
  ) throws {
    folder = try TemporaryFolder()
    path = try folder.write([], to: name)
    try CoreDataStoreCreator(layout: CoreDataLayout(model), source: ModelSource(model))
      .create(at: path)
    try edit("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL;")
    try edit(sql)
  }

  /// A sample whose last tag is in its write-ahead log alone, as a program leaves it that was
  /// killed.
  ///
  /// - Parameters:
  ///   - tag: The name of the tag.
  ///   - sql: What is changed after that.
  ///   - keepsIndex: Whether the shared memory of the log is left, too.
  /// - Returns: The sample.
  /// - Throws: What is wrong with the statements, or with the files.
  static func sampleWithLog(
    tag: String = "late", then sql: String = "", keepsIndex: Bool = false
  ) throws -> StoreMaker {
    let maker = try sample()
    let editor = try StoreEditor(maker.path)
    try editor.run("PRAGMA journal_mode = WAL")
    try editor.run("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 5, 1, '\(tag)');")
    try editor.run(sql)
    let log = try Data(contentsOf: URL(fileURLWithPath: "\(maker.path)-wal"))
    let store = try Data(contentsOf: URL(fileURLWithPath: maker.path))
    let index = try Data(contentsOf: URL(fileURLWithPath: "\(maker.path)-shm"))
    editor.close()
    try maker.folder.write(store, to: "store.sqlite")
    if keepsIndex { try maker.folder.write(index, to: "store.sqlite-shm") }
    try maker.folder.write(log, to: "store.sqlite-wal")
    return maker
  }

  /// Makes the sample with the file that one of its notes refers to.
  static func sample() throws -> StoreMaker {
    let maker = try StoreMaker()
    try maker.folder.write("photo", to: ".store_SUPPORT/_EXTERNAL_DATA/\(photoName)")
    return maker
  }

  /// Changes the store.
  func edit(_ sql: String) throws {
    let editor = try StoreEditor(path)
    try editor.run("PRAGMA writable_schema = ON; BEGIN; \(sql) COMMIT;")
    editor.close()
  }

  /// Opens the store with its model.
  func open(
    _ model: Model = StoreMaker.model, salvages: Bool = false
  ) throws(ModelError) -> SQLiteStoreSource {
    try SQLiteStoreSource(path: path, model: ModelSource(model), salvages: salvages)
  }
}
