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
