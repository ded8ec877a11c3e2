import Foundation
import TestSupport
import Testing

@Suite("Core Data stores on the command line")
struct CoreDataStoreCommandTests {
  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="2">
      <entity name="Folder">
        <attribute name="title" optional="YES" attributeType="String" indexed="YES"/>
        <relationship name="notes" toMany="YES" destinationEntity="Note" inverseName="folder"/>
      </entity>
      <entity name="Note">
        <attribute name="length" optional="YES" attributeType="Integer 32" {derived}/>
        <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
      </entity>
    </model>
    """

  /// A folder with a model and, as "derived.xcdatamodel", one whose hashes are not all known.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      contents.replacing("{derived}", with: ""), to: "App.xcdatamodel/contents")
    try folder.write(
      contents.replacing("{derived}", with: #"derived="YES" derivationExpression="1""#),
      to: "derived.xcdatamodel/contents")
    return folder
  }

  @Test("convert model --create-store makes a store without rows, in either layout")
  func createStore() throws {
    let folder = try Self.folder()
    for (layout, tables) in [
      ("coredata", ["ZFOLDER", "ZNOTE", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]),
      ("relational", ["Folder", "Note"]),
    ] {
      let result = try folder.convert(
        "model", "App.xcdatamodel", "--create-store", "\(layout).sqlite", "--layout", layout)
      #expect(result.status == 0, "\(result)")
      #expect(result.output == "")
      #expect(result.errors == "")
      let found = try StoreQuery(folder.file(named: "\(layout).sqlite")).lines(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_[a-z]*' "
          + "ORDER BY name")
      #expect(found == tables)
    }
  }

  @Test("It touches nothing that stands at the destination, unless it is to replace it")
  func destination() throws {
    let folder = try Self.folder()
    let path = try folder.write("mine", to: "store.sqlite")
    let arguments = [
      "model", "App.xcdatamodel", "--layout", "coredata", "--create-store", "store.sqlite",
    ]
    let refused = try Program.run(arguments, in: folder.path)
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("store.sqlite: already exists"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    let replaced = try Program.run(arguments + ["--if-exists", "replace"], in: folder.path)
    #expect(replaced.status == 0)
    #expect(try folder.convert("check", "store.sqlite", "--model", "App.xcdatamodel").status == 0)
    let appended = try Program.run(arguments + ["--if-exists", "append"], in: folder.path)
    #expect(appended.status == 64)
  }

  @Test("Where a hash is not known, it says so and how to have it; a template has it")
  func template() throws {
    let folder = try Self.folder()
    func create(_ name: String, _ more: String...) throws -> Program.Result {
      try Program.run(
        ["model", "derived.xcdatamodel", "--layout", "coredata", "--create-store", name] + more,
        in: folder.path)
    }
    let first = try create("first.sqlite")
    #expect(first.status == 1)
    #expect(
      first.errorLines == [
        "first.sqlite: does not carry the model: the compiled form of something in it is unknown",
        "derived.xcdatamodel: the version hash of Note is uncertain: it has derived or composite "
          + "attributes",
        "derived.xcdatamodel: specify the compiled model (.momd), or a store of it with --template, "
          + "to use the hashes computed by Core Data",
      ])
    // A store of the same model, as Core Data made it: with another hash of Note.
    let second = try create("second.sqlite", "--template", "first.sqlite")
    #expect(second.status == 0, "\(second)")
    let other = try folder.convert(
      "model", "App.xcdatamodel", "--layout", "coredata", "--create-store", "other.sqlite")
    #expect(other.status == 0)
    try folder.write(
      Self.contents.replacing("title", with: "name").replacing("{derived}", with: ""),
      to: "changed.xcdatamodel/contents")
    let refused = try folder.convert(
      "model", "changed.xcdatamodel", "--create-store", "x.sqlite", "--template", "other.sqlite")
    #expect(refused.status == 2)
    #expect(
      refused.errors == "other.sqlite: is a store of a different model, which differs in Folder\n")
  }

  @Test("convert run takes hashes that cannot be computed from a template")
  func runWithTemplate() throws {
    let folder = try Self.folder()
    _ = try folder.convert(
      "model", "derived.xcdatamodel", "--layout", "coredata", "--create-store", "first.sqlite")
    try folder.add("a.archive") { archive in
      archive.instance(of: "Note", ["title": archive.string("a")])
    }
    let run = [
      "a.archive", "--model", "derived.xcdatamodel", "--layout", "coredata", "-o", "s.sqlite", "-q",
    ]
    let refused = try Program.run(run, in: folder.path)
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "Note: cannot be kept in a Core Data store: its version hash is unknown: give the "
        + "compiled model (.momd), or a store of the same model with --template\n")
    let result = try Program.run(run + ["--template", "first.sqlite"], in: folder.path)
    #expect(result.status == 0, "\(result)")
    try folder.store("s.sqlite").expect(
      "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY", ["Folder|0", "Note|1"])
    #expect(
      try Program.run(
        ["a.archive", "--template", "first.sqlite", "-o", "x.sqlite"], in: folder.path
      ).status == 64)
  }

  @Test("convert check tells a store from a mapping, and its faults with their places")
  func check() throws {
    let folder = try Self.folder()
    _ = try folder.convert(
      "model", "App.xcdatamodel", "--layout", "coredata", "--create-store", "store.sqlite")
    let editor = try StoreEditor(folder.file(named: "store.sqlite"))
    try editor.run(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 2, 1, NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note';
      """)
    let sound = try folder.convert("check", "store.sqlite", "--model", "App.xcdatamodel")
    #expect(sound.status == 0)
    #expect(sound.output == "store.sqlite: no faults found in 1 row of 2 tables\n")
    #expect(
      try folder.convert("check", "-q", "store.sqlite", "--model", "App.xcdatamodel").output == "")

    try editor.run("UPDATE ZNOTE SET ZFOLDER = 4")
    let faulty = try folder.convert("check", "store.sqlite", "--model", "App.xcdatamodel")
    #expect(faulty.status == 1)
    #expect(faulty.output == "")
    #expect(
      faulty.errors
        == "store.sqlite: ZNOTE row 1, ZFOLDER: it refers to a row that does not exist\n")

    #expect(try folder.convert("check", "store.sqlite").errors == faulty.errors)
    try editor.run("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    let withoutModel = try folder.convert("check", "store.sqlite")
    #expect(withoutModel.status == 2)
    #expect(
      withoutModel.errorLines == [
        "store.sqlite: the store does not carry its model: give it with --model (a model, or a folder with models)"
      ])
  }

  @Test("convert run --layout coredata writes a sound store, and takes a model")
  func run() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive", "Locations.yaml")
    let model = "\(Repository.samples)/Locations.xcdatamodeld"
    let refused = try folder.convert("Locations.archive", "-o", "s.sqlite", "--layout", "coredata")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "s.sqlite: cannot be created: a Core Data store requires a model: give it with --model, "
        + "or in the mapping\n")
    let result = try folder.convert(
      "Locations.archive", "--mapping", "Locations.yaml", "--model", model, "--layout", "coredata",
      "-o", "s.sqlite", "--report", "r.json")
    #expect(result.status == 0, "\(result)")
    let report = try String(contentsOfFile: folder.file(named: "r.json"), encoding: .utf8)
    #expect(report.contains(#""layout" : "coredata""#))
    #expect(try folder.convert("check", "s.sqlite", "--model", model).status == 0)
    #expect(
      try folder.names() == ["Locations.archive", "Locations.yaml", "r.json", "s.sqlite"])

    let verified = try folder.convert("verify", "s.sqlite", "Locations.archive")
    #expect(verified.status == 0, "\(verified)")
    let foreign = try folder.convert(
      "model", model, "--layout", "coredata", "--create-store", "other.sqlite")
    #expect(foreign.status == 0)
    let unknown = try folder.convert("verify", "other.sqlite", "Locations.archive")
    #expect(unknown.status == 2)
    #expect(
      unknown.errors
        == "other.sqlite: cannot be read: the Core Data store does not record how it was made\n")
    let reported = try folder.convert("report", "s.sqlite")
    #expect(reported.status == 2)
    #expect(
      reported.errors
        == "s.sqlite: a Core Data store keeps no report; to write one, use run --report\n")
  }

  @Test("A drafted mapping has no mistakes for its own store, whose entities may have no objects")
  func entityWithoutObjects() throws {
    let folder = try Self.folder()
    try folder.write(
      """
      <?xml version="1.0"?>
      <database><databaseInfo></databaseInfo><object type="NOTE" id="z102">
      <attribute name="length" type="int32">3</attribute></object></database>
      """, to: "App.xml")
    let drafted = try folder.convert(
      "infer", "App.xml", "-o", "App.yaml", "--model", "App.xcdatamodel")
    #expect(drafted.status == 0, "\(drafted)")
    func check() throws -> Program.Result {
      try folder.convert("check", "App.yaml", "App.xml", "--model", "App.xcdatamodel")
    }
    let checked = try check()
    #expect(checked.status == 0, "\(checked)")
    // A key that no object has is told all the same.
    let text = try folder.text(of: "App.yaml").replacing("length:", with: "lenght:")
    try folder.write(text, to: "App.yaml")
    #expect(try check().status != 0)
  }

  @Test("An XML store is read by its model")
  func checkXML() throws {
    let folder = try Self.folder()
    func store(_ link: String) throws {
      try folder.write(
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database><object type="FOLDER" id="z101"></object>
        <object type="NOTE" id="z102">
        <relationship name="folder" type="0/1" destination="FOLDER" idrefs="\(link)"></relationship>
        </object></database>
        """, to: "store.xml")
    }
    try store("z101")
    let sound = try folder.convert("check", "store.xml", "--model", "App.xcdatamodel")
    #expect(sound.output == "store.xml: no faults found in 2 objects\n")
    #expect(sound.status == 0)
    try store("z109")
    let faulty = try folder.convert("check", "store.xml", "--model", "App.xcdatamodel")
    #expect(
      faulty.errors
        == "store.xml: refers to object z109, which does not exist (Note z102, folder)\n")
    #expect(faulty.status == 1)
    let alone = try folder.convert("check", "store.xml")
    #expect(
      alone.errors
        == "store.xml: the store does not carry its model: give it with --model (a model, or a folder with models)\n"
    )
    #expect(alone.status == 2)
  }

  @Test("A note does not make a store unsound")
  func note() throws {
    let folder = try Self.folder()
    _ = try folder.convert(
      "model", "derived.xcdatamodel", "--layout", "coredata", "--create-store", "store.sqlite")
    let editor = try StoreEditor(folder.file(named: "store.sqlite"))
    try editor.run("INSERT INTO Z_PRIMARYKEY VALUES (9, 'Former', 0, 0)")
    let result = try folder.convert("check", "store.sqlite", "--model", "App.xcdatamodel")
    #expect(result.status == 0)
    #expect(
      result.output == """
        store.sqlite: note: Z_PRIMARYKEY row 9: the model has no entity Former
        store.sqlite: no faults found in 0 rows of 2 tables

        """)
  }
}
