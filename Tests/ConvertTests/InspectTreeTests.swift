import Foundation
import TestSupport
import Testing

@Suite("convert inspect --tree")
struct InspectTreeTests {
  @Test("draws an archive, whatever its form", arguments: [("archive", "binary"), ("xml", "xml")])
  func drawsSample(ending: String, form: String) throws {
    let folder = try TemporaryFolder(samples: "MentalCase.\(ending)")
    let result = try folder.convert("inspect", "MentalCase.\(ending)", "--tree")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output == "MentalCase.\(ending): \(form), NSKeyedArchiver 100000, 171 objects, "
        + "171 reachable, 233 references, cyclic\n" + MentalCaseTree.text)
  }

  @Test("shows as many levels and elements as it is told")
  func isLimited() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert(
      "inspect", "MentalCase.archive", "--tree", "--depth", "2", "--elements", "1")
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        """

        root: MTLibrary #1
        ├─ modelObjectClassVersion: 1
        ├─ uniqueId: "LIB-1"
        ├─ modelContext: nil
        ├─ title: "My Library"
        └─ folders: array of 2
           ├─ 0: MTFolder #2 …
           └─ … 1 more

        """))
  }

  @Test(
    "draws a single object, as errors name it, whatever its kind and wherever it is",
    arguments: [
      (2, ["--depth", "1"], "object 2: Leaf #2\n└─ name: \"x\"\n"),
      (1, [], "object 1: \"x\"\n"),
      (
        4, [],
        "object 4: array of 2\n├─ 0: Leaf #2\n│  └─ name: \"x\"\n└─ 1: Leaf #2 (above)\n"
      ),
      (
        4, ["--elements", "1"],
        "object 4: array of 2\n├─ 0: Leaf #2\n│  └─ name: \"x\"\n└─ … 1 more\n"
      ),
      (0, ["--tree"], "object 0: nil\n"), (3, [], "object 3: class Leaf\n"),
      (6, [], "object 6: Loose #6\n"),
    ] as [(Int, [String], String)])
  func drawsObject(uid: Int, options: [String], tree: String) throws {
    let folder = try TemporaryFolder()
    try folder.add("leaves") { archive in
      let leaf = archive.instance(of: "Leaf", ["name": archive.string("x")])
      let list = archive.array([leaf, leaf])
      _ = archive.instance(of: "Loose")
      return list
    }
    let result = try Program.run(
      ["inspect", "leaves", "--object", "\(uid)"] + options, in: folder.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == tree)
  }

  @Test("draws no object that does not exist", arguments: ["171", "\(Int.max)"])
  func refusesObject(uid: String) throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert("inspect", "MentalCase.archive", "--object", uid)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "MentalCase.archive: there is no object \(uid)\n")
  }

  @Test("draws no object of a Core Data store, whose objects have other names")
  func refusesStore() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive", "Locations.yaml")
    try FileManager.default.copyItem(
      atPath: "\(Repository.samples)/Locations.xcdatamodeld",
      toPath: folder.file(named: "Locations.xcdatamodeld"))
    let made = try folder.convert(
      "Locations.archive", "--mapping", "Locations.yaml", "--layout", "coredata", "-o", "out.db")
    #expect(made.status == 0)
    let result = try folder.convert("inspect", "out.db", "--object", "1")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == "out.db: --object is for archives; this is a Core Data store\n")
  }

  @Test("draws each kind of value")
  func drawsValues() throws {
    let folder = try TemporaryFolder()
    try folder.add("values") { archive in
      let numbers = archive.array([1, archive.number(2.5), archive.null(), .none])
      let long = String(repeating: "long ", count: 20)
      return archive.instance(
        of: "Thing",
        [
          "flag": true, "wide": .unsigned(.max), "real": -0.0, "bare": .date(0),
          "data": .data(.init([1, 2, 3])), "decimal": try archive.decimal("-1.50"),
          "class": archive.classRecord("Other"), "long": archive.string(long),
          "numbers": numbers, "again": numbers,
          "pairs": archive.dictionary(["a": 1, archive.array([]): archive.set(["x"])]),
          "inline": [1, ["k": "v"]], "empty": archive.instance(of: "Empty"),
        ])
    }
    let result = try folder.convert("inspect", "values", "--tree")
    #expect(result.status == 0)
    let tree = result.output.drop { $0 != "\n" }.components(separatedBy: "\n\n").last ?? ""
    #expect(
      tree == """
        root: Thing #21
        ├─ flag: true
        ├─ wide: 18446744073709551615
        ├─ real: -0.0
        ├─ bare: 2001-01-01T00:00:00.000Z
        ├─ data: data, 3 bytes
        ├─ decimal: -1.5
        ├─ class: class Other
        ├─ long: "long long long long long long long long long long long long long long long long …"
        ├─ numbers: array of 4
        │  ├─ 0: 1
        │  ├─ 1: 2.5
        │  ├─ 2: NSNull
        │  └─ 3: nil
        ├─ again: array of 4 #5 (above)
        ├─ pairs: dictionary of 2
        │  ├─ "a": 1
        │  └─ array: set of 1
        │     └─ 0: "x"
        ├─ inline: array of 2
        │  ├─ 0: 1
        │  └─ 1: dictionary of 1
        │     └─ "k": "v"
        └─ empty: Empty #19

        """)
  }

  @Test("draws an object in full where it is met within the depth")
  func drawsWhatItCut() throws {
    let folder = try TemporaryFolder()
    try folder.add("shared") { archive in
      let leaf = archive.instance(of: "Leaf", ["name": "x"])
      let deep = archive.instance(of: "Branch", ["leaf": leaf])
      return archive.instance(of: "Tree", ["deep": deep, "near": leaf, "again": leaf])
    }
    let result = try folder.convert("inspect", "shared", "--tree", "--depth", "2")
    #expect(
      result.output.hasSuffix(
        """
        root: Tree #5
        ├─ deep: Branch #3
        │  └─ leaf: Leaf #1 …
        ├─ near: Leaf #1
        │  └─ name: "x"
        └─ again: Leaf #1 (above)

        """))
  }
}
