import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("What convert run says where not all objects become rows")
struct RunVerdictTests {
  /// Recipes of an owner, with the prefix of their app.
  private static func addBox(to folder: TemporaryFolder) throws {
    try folder.add("box") { archive in
      let owner = archive.instance(of: "RBOwner", ["name": "x"])
      return archive.array(
        (0..<3).map { rank in
          archive.instance(of: "RBRecipe", ["title": .string("\(rank)"), "owner": owner])
        })
    }
  }

  private static func model(_ names: [String]) -> String {
    let entities = names.map { name in
      """
      <entity name="\(name)"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="title" optional="YES" attributeType="String"/></entity>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities.joined())</model>
      """
  }

  @Test("ends with 2 where a folder has several models for archives", arguments: [1, 9])
  func severalModels(boxes: Int) throws {
    let folder = try TemporaryFolder()
    try Self.addBox(to: folder)
    for number in 1..<boxes {
      try folder.add("box\(number)") { archive in
        archive.instance(of: "RBOwner", ["name": .string("\(number)")])
      }
    }
    for name in ["A", "B"] {
      try folder.write(Self.model(["Owner"]), to: "pile/\(name).xcdatamodel/contents")
    }
    let names = (["box"] + (1..<boxes).map { "box\($0)" })
    let result = try Program.run(names + ["--model", "pile", "-o", "out.db"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors == "pile: contains several models, 'A' and 'B': give the path of one\n")
    #expect(try folder.names().contains("out.db") == false)
  }

  struct Unmet: CustomTestStringConvertible, Sendable {
    var entities: [String]
    var message: String
    var testDescription: String { message }
  }

  @Test(
    "ends with 2 and names the option that helps, if no class has an entity",
    arguments: [
      Unmet(
        entities: ["Recipe", "Owner"],
        message: "has no entity for any class of the archives, 'RBOwner' and 'RBRecipe'; "
          + "--strip-prefix RB finds entities for 2 of 2"),
      Unmet(
        entities: ["Recipe", "Dish"],
        message: "has no entity for any class of the archives, 'RBOwner' and 'RBRecipe'; "
          + "--strip-prefix RB finds entities for 1 of 2"),
      Unmet(
        entities: ["Dish"],
        message: "has no entity for any class of the archives, 'RBOwner' and 'RBRecipe'; "
          + "a mapping file can assign them, and 'infer' drafts one"),
    ])
  func unmetModel(of one: Unmet) throws {
    let folder = try TemporaryFolder()
    try Self.addBox(to: folder)
    try folder.write(Self.model(one.entities), to: "M.xcdatamodel/contents")
    let result = try folder.convert("box", "--model", "M.xcdatamodel", "-o", "out.db", "--verify")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "M.xcdatamodel: \(one.message)\n")
    #expect(try folder.names() == ["M.xcdatamodel", "box"])
  }

  /// Recipes whose keys have the prefix of their classes, or other case than the model.
  private static func addPrefixedKeys(to folder: TemporaryFolder) throws {
    try folder.add("box") { archive in
      let owner = archive.instance(of: "RBOwner", ["Name": "x", "RBName": "y"])
      return archive.array([
        archive.instance(
          of: "RBRecipe",
          ["RBTitle": "soup", "rbOwner": owner, "RANK": 3, "RBCount": "many", "RBKind": owner])
      ])
    }
  }

  @Test("strips the prefix of classes from keys, and finds properties in other case")
  func prefixesOfKeys() throws {
    let folder = try TemporaryFolder()
    try Self.addPrefixedKeys(to: folder)
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Recipe"><attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="rank" optional="YES" attributeType="Integer 64"/>
      <attribute name="count" optional="YES" attributeType="Integer 64"/>
      <attribute name="kind" optional="YES" attributeType="String"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner"/></entity>
      <entity name="Owner"><attribute name="name" optional="YES" attributeType="String"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    let result = try folder.convert(
      "box", "--model", "M.xcdatamodel", "--strip-prefix", "RB", "-o", "out.db", "--verify",
      "--report", "r.json")
    #expect(result.status == 0, "\(result)")
    let store = try folder.store()
    // Of two keys that may be meant, none is.
    try store.expect("SELECT name FROM Owner", ["NULL"])
    // What the property cannot hold is left unread.
    try store.expect(
      "SELECT title, rank, count, kind, owner_id FROM Recipe", ["soup|3|NULL|NULL|1"])
    let report = try folder.text(of: "r.json")
    for key in ["RBCount", "RBKind", "Name", "RBName"] { #expect(report.contains("\"\(key)\"")) }
    // Only the option has the prefix stripped.
    #expect(
      try folder.convert(
        "box", "--model", "M.xcdatamodel", "-o", "plain.db", "-q"
      ).status == 2)
  }

  @Test("suggests the properties that unread keys may be meant for")
  func likelyProperties() throws {
    let folder = try TemporaryFolder()
    try Self.addPrefixedKeys(to: folder)
    try folder.write(Self.model(["Recipe", "Owner"]), to: "M.xcdatamodel/contents")
    try folder.write("classes: {RBRecipe: Recipe, RBOwner: Owner}", to: "m.yaml")
    let result = try folder.convert(
      "box", "--model", "M.xcdatamodel", "--mapping", "m.yaml", "-o", "out.db")
    #expect(
      result.output.contains(
        """
        Unread keys: RBRecipe.RANK (1), RBRecipe.RBCount (1), RBRecipe.RBKind (1), RBRecipe.RBTitle (1) \
        → title?, RBRecipe.rbOwner (1).

        """), "\(result)")
  }

  @Test("strips the prefix from keys where there is no model, in drafts, too")
  func prefixesOfInferredNames() throws {
    let folder = try TemporaryFolder()
    try Self.addPrefixedKeys(to: folder)
    let query = "SELECT title, owner_id, RANK, count, kind_id FROM Recipe"
    #expect(
      try folder.convert("box", "--strip-prefix", "RB", "-o", "out.db", "--verify").status == 0)
    try folder.store().expect(query, ["soup|1|3|many|1"])
    #expect(try folder.convert("infer", "box", "--strip-prefix", "RB", "-o", "d.yaml").status == 0)
    #expect(
      try folder.convert("box", "--mapping", "d.yaml", "-o", "d.db", "--verify").status == 0)
    try folder.store("d.db").expect(query, ["soup|1|3|many|1"])
    try folder.store("d.db").expect("SELECT Name, name_2 FROM Owner", ["x|y"])
  }

  @Test("lists a prefix that no class has")
  func unusedPrefix() throws {
    let folder = try TemporaryFolder()
    try Self.addBox(to: folder)
    let result = try folder.convert("box", "--strip-prefix", "RX", "-o", "out.db")
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        """
        Options: 1 name matches nothing in the archives.
          --strip-prefix: no class of the archives begins with 'RX'

        """), "\(result)")
    let draft = try folder.convert("infer", "box", "--strip-prefix", "RX", "-o", "d.yaml")
    #expect(draft.errors == "--strip-prefix: no class of the archives begins with 'RX'\n")
  }

  @Test("says in its first lines and in all reports how many objects became rows")
  func saysHowMany() throws {
    let folder = try TemporaryFolder()
    try Self.addBox(to: folder)
    try folder.write(Self.model(["RBOwner", "Dish"]), to: "M.xcdatamodel/contents")
    let result = try folder.convert(
      "box", "--model", "M.xcdatamodel", "-o", "out.db", "--report", "r.json", "--report", "r.md",
      "--report", "r.html")
    #expect(result.status == 0)
    #expect(
      result.output.masked.split(separator: "\n").prefix(2) == [
        "Converted 1 archive in # s → out.db, # kB", "1 of 4 objects became rows.",
      ])
    #expect(!result.output.contains("Nothing was left behind"))
    let sentence =
      "The archive was converted; 1 of 4 objects became rows; the store was not verified."
    let json = try folder.text(of: "r.json")
    #expect(
      json.contains(
        """
          "verdict" : {
            "kind" : "attention",
            "sentence" : "\(sentence)"
          }
        """))
    #expect(try folder.text(of: "r.md").hasPrefix("# \(sentence)\n"))
    let page = try folder.text(of: "r.html")
    #expect(page.contains("<span id=\"verdict\">\(sentence)</span>"))
    #expect(!page.contains("Nothing was left behind"))
    let again = try folder.convert("report", "out.db", "--report", "again.md")
    #expect(again.output.split(separator: "\n")[1] == "1 of 4 objects became rows.")
    #expect(try folder.text(of: "again.md").hasPrefix("# \(sentence)\n"))
  }

  @Test("ends with 1 if no object became a row, though a class has an entity")
  func withoutRows() throws {
    let folder = try TemporaryFolder()
    try folder.add("box") { archive in
      // Nothing but an object without an entity, and an ignored one, is read.
      archive.instance(
        of: "Box",
        ["shelf": archive.instance(of: "Shelf", ["owner": archive.instance(of: "Owner")])])
    }
    try folder.write(Self.model(["Owner"]), to: "M.xcdatamodel/contents")
    try folder.write("classes: {Shelf: {ignore: true}}\n", to: "m.yaml")
    let result = try folder.convert(
      "box", "--model", "M.xcdatamodel", "--mapping", "m.yaml", "-o", "out.db")
    #expect(result.status == 1)
    #expect(result.errors == "out.db: 0 of 2 objects became rows\n")
    #expect(result.output.split(separator: "\n")[1] == "0 of 2 objects became rows.")
  }
}
