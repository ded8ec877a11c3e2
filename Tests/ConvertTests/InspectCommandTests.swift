import Foundation
import TestSupport
import Testing

@Suite("convert inspect")
struct InspectCommandTests {
  @Test("prints JSON into a pipe, or when it is told", arguments: [[], ["--json"]])
  func printsJSON(options: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.add("small.archive") { archive in
      let folder = archive.reserve()
      let note = archive.instance(
        of: "Note",
        ["title": archive.string("Milk"), "rank": 3, "container": folder.reference])
      let other = archive.instance(of: "Note", ["title": .none, "done": true])
      _ = archive.date(secondsSince2001: 0)
      archive.setTop("version", 7)
      return archive.fill(
        folder, className: "Folder", hierarchy: ["Folder", "Item", "NSObject"],
        ["notes": archive.array([note, other])])
    }
    let result = try Program.run(["inspect", "small.archive"] + options, in: folder.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == Self.json)
  }

  @Test("does what the JSON says for both forms of an archive")
  func agreesOnForms() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "MentalCase.xml")
    let binary = try folder.convert("inspect", "MentalCase.archive", "--json").output
    let xml = try folder.convert("inspect", "MentalCase.xml", "--json").output
    #expect(
      binary.replacing("\"binary\"", with: "\"xml\"").replacing(".archive\"", with: ".xml\"")
        == xml)
    #expect(binary.contains("\"cyclic\" : true"))
  }

  @Test(
    "names what is wrong with a file that it cannot read, and ends with 2",
    arguments: ["--json", "--tree"])
  func refusesDamagedFiles(form: String) throws {
    let folder = try TemporaryFolder()
    try folder.addDamagedSample(as: "damaged")
    try folder.write("plain text", to: "text")
    for (name, message) in [
      ("absent", "cannot be read: No such file or directory"),
      ("text", "is not a keyed archive: it is text"),
      (
        "damaged",
        "the binary property list is truncated after 3000 bytes"
      ),
    ] {
      let result = try folder.convert("inspect", name, form)
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.errors == "\(name): \(message)\n")
    }
  }

  @Test("shows a torn archive as far as it goes, and ends with 1")
  func showsTornArchive() throws {
    let folder = try TemporaryFolder()
    try folder.add("torn") { archive in
      archive.instance(of: "Torn", ["rank": 3, "other": .uid(99), "title": archive.string("x")])
    }
    let complaint =
      "torn: refers to object 99, which does not exist (object 2)\n"
    let tree = try folder.convert("inspect", "torn", "--tree")
    #expect(tree.status == 1)
    #expect(tree.errors == complaint)
    #expect(
      tree.output.hasSuffix(
        """
        root: Torn #2
        ├─ rank: 3
        ├─ other: refers to object 99, which does not exist
        └─ title: "x"

        """))
    let json = try folder.convert("inspect", "torn", "--json")
    #expect(json.status == 1)
    #expect(json.errors == complaint)
    #expect(json.output.contains("\"missing\""))
  }

  @Test(
    "ends with 64 when it is called wrongly",
    arguments: [
      [], ["x", "--json", "--tree"], ["x", "--depth", "0"], ["x", "--elements", "-1"],
      ["x", "--depth", "513"],
      ["x", "--depth", "many"], ["x", "-o", "y"], ["x", "--object", "a"],
      ["x", "--object", "1", "--json"],
    ])
  func refusesWrongUsage(arguments: [String]) throws {
    let result = try Program.run(["inspect"] + arguments)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("Error: "))
  }

  static let json = """
    {
      "archiver" : "NSKeyedArchiver",
      "classes" : [
        {
          "count" : 2,
          "hierarchy" : [
            "Note",
            "NSObject"
          ],
          "keys" : [
            {
              "count" : 2,
              "key" : "title",
              "types" : [
                "string",
                "nil"
              ]
            },
            {
              "count" : 1,
              "key" : "rank",
              "types" : [
                "integer"
              ]
            },
            {
              "count" : 1,
              "key" : "container",
              "types" : [
                "Folder"
              ]
            },
            {
              "count" : 1,
              "key" : "done",
              "types" : [
                "bool"
              ]
            }
          ],
          "name" : "Note"
        },
        {
          "count" : 1,
          "hierarchy" : [
            "Folder",
            "Item",
            "NSObject"
          ],
          "keys" : [
            {
              "count" : 1,
              "key" : "notes",
              "types" : [
                "NSArray"
              ]
            }
          ],
          "name" : "Folder"
        },
        {
          "count" : 1,
          "hierarchy" : [
            "NSArray",
            "NSObject"
          ],
          "keys" : [
            {
              "count" : 1,
              "key" : "NS.objects",
              "types" : [
                "array"
              ]
            }
          ],
          "name" : "NSArray"
        },
        {
          "count" : 1,
          "hierarchy" : [
            "NSDate",
            "NSObject"
          ],
          "keys" : [
            {
              "count" : 1,
              "key" : "NS.time",
              "types" : [
                "real"
              ]
            }
          ],
          "name" : "NSDate"
        }
      ],
      "cyclic" : true,
      "format" : "binary",
      "objects" : 11,
      "path" : "small.archive",
      "reachable" : 9,
      "references" : 6,
      "top" : {
        "root" : {
          "uid" : 1
        },
        "version" : {
          "type" : "integer"
        }
      },
      "version" : 100000
    }

    """
}
