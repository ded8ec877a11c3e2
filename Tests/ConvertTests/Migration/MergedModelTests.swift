import Foundation
import TestSupport
import Testing

@Suite("Several models that are merged")
struct MergedModelTests {
  private static let person = #"<attribute name="name" optional="YES" attributeType="String"/>"#
  private static let later =
    person + #"<attribute name="nickname" optional="YES" attributeType="String"/>"#

  /// A folder with two models, of which one has two versions, and a store of both: of the first
  /// version, as an app writes it that merges the models of its bundles.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try write("People", "People", "Person", person, in: folder)
    try write("People", "People 2", "Person", later, in: folder)
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>People 2.xcdatamodel</string></dict></plist>
      """, to: "People.xcdatamodeld/.xccurrentversion")
    try write(
      "Zoo", "Zoo", "Animal", #"<attribute name="kind" optional="YES" attributeType="String"/>"#,
      in: folder)
    let made = try folder.convert(
      "model", "People.xcdatamodeld/People.xcdatamodel", "Zoo.xcdatamodeld", "--layout", "coredata",
      "--create-store", "old.sqlite")
    try #require(made.status == 0, "\(made)")
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run(
      """
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZKIND) VALUES (1, 1, 1, 'Cat');
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ann');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
      """)
    editor.close()
    return folder
  }

  private static func write(
    _ model: String, _ version: String, _ entity: String, _ attributes: String,
    in folder: TemporaryFolder
  ) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="\(entity)">\(attributes)</entity>
      </model>
      """, to: "\(model).xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private static let both = ["--model", "People.xcdatamodeld", "--model", "Zoo.xcdatamodeld"]

  @Test("are shown as one")
  func shown() throws {
    let folder = try Self.folder()
    let result = try folder.convert("model", "People.xcdatamodeld", "Zoo.xcdatamodeld")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output == """
        2 entities

        1 Animal  type
        kind      string

        2 Person  type
        name      string
        nickname  string

        """)
    #expect(result.errors == "")
  }

  @Test("are migrated to together, and a verification knows them")
  func migrated() throws {
    let folder = try Self.folder()
    let result = try Program.run(
      ["migrate", "old.sqlite"] + Self.both + ["-o", "new.sqlite", "--verify"], in: folder.path)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.hasPrefix(
        """
        'People + Zoo' to 'People 2 + Zoo'
        1. 'People + Zoo' to 'People 2 + Zoo': inferred (1 copy, 1 transform)

        """), "\(result)")
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(try store.lines("SELECT ZKIND FROM ZANIMAL") == ["Cat"])
    #expect(try store.lines("SELECT ZNAME, ZNICKNAME FROM ZPERSON") == ["Ann|NULL"])
    let check = try Program.run(["check", "new.sqlite", "-q"] + Self.both, in: folder.path)
    #expect(check.status == 0, "\(check)")
    #expect(try folder.convert("verify", "new.sqlite", "old.sqlite").status == 0)
    // Somewhere else, they have to be named: all of them.
    let manager = FileManager.default
    for name in ["People", "Zoo"] {
      try manager.moveItem(
        atPath: folder.file(named: "\(name).xcdatamodeld"),
        toPath: folder.file(named: "Moved \(name).xcdatamodeld"))
    }
    #expect(try folder.convert("verify", "new.sqlite", "old.sqlite").status == 2)
    let moved = ["--model", "Moved People.xcdatamodeld", "--model", "Moved Zoo.xcdatamodeld"]
    let verified = try Program.run(["verify", "new.sqlite", "old.sqlite"] + moved, in: folder.path)
    #expect(verified.status == 0, "\(verified)")
    let one = try Program.run(
      ["verify", "new.sqlite", "old.sqlite"] + moved.prefix(2), in: folder.path)
    #expect(one.status == 2, "\(one)")
  }

  @Test("are what a store is read by that does not carry its model", arguments: ["run", "check"])
  func read(command: String) throws {
    let folder = try Self.folder()
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    editor.close()
    let output = command == "run" ? ["-o", "new.sqlite", "--verify"] : []
    let result = try Program.run(
      [command, "old.sqlite"] + Self.both + output, in: folder.path)
    #expect(result.status == 0, "\(result)")
    guard command == "run" else { return }
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    #expect(
      try store.lines("SELECT kind FROM Animal UNION ALL SELECT name FROM Person") == [
        "Cat", "Ann",
      ])
    #expect(try folder.convert("verify", "new.sqlite", "old.sqlite").status == 0)
  }

  @Test("do not lose the objects of one that was forgotten")
  func forgotten() throws {
    let folder = try Self.folder()
    let arguments = [
      "migrate", "old.sqlite", "--model", "People.xcdatamodeld", "-o", "new.sqlite",
    ]
    for more in [[], ["--versions", "Zoo.xcdatamodeld"]] {
      let result = try Program.run(arguments + more, in: folder.path)
      #expect(result.status == 2, "\(result)")
      #expect(
        result.errors == """
          'old.sqlite', the model in the store, has entities that the model to migrate to lacks: \
          Animal
            if another model has them, give it with --model, too
            if they are to be removed, give the version that has them with --versions: the store \
          itself

          """)
      #expect(try !folder.names().contains("new.sqlite"))
    }
    let removed = try Program.run(arguments + ["--versions", "old.sqlite"], in: folder.path)
    #expect(removed.status == 0, "\(removed)")
    #expect(removed.output.contains("\n  IEM_Remove_Animal: 1 Animal removed\n"), "\(removed)")
  }

  @Test("are refused if they declare an entity differently")
  func conflict() throws {
    let folder = try Self.folder()
    try Self.write("Other", "Other", "Person", Self.person, in: folder)
    let result = try folder.convert("model", "People.xcdatamodeld", "Other.xcdatamodeld")
    #expect(result.status == 2)
    #expect(
      result.errors == """
        Other.xcdatamodeld/Other.xcdatamodel/contents: Person: the entity is declared differently in \
        People.xcdatamodeld/People 2.xcdatamodel/contents

        """)
    try Self.write("Other", "Other", "Person", Self.later, in: folder)
    #expect(
      try folder.convert("model", "People.xcdatamodeld", "Other.xcdatamodeld").status == 0)
  }
}
