import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Typedstreams")
struct TypedstreamCommandTests {
  /// Two notes with texts, tags and ranks, in a list, and a folder that they refer to.
  private static func notes(_ titles: String...) -> [UInt8] {
    TypedstreamWriter.stream { writer in
      writer.group("@") { writer in
        writer.collection(
          "NSArray", titles.count,
          of: titles.enumerated().map { index, title in
            { writer in note(title, rank: index + 1, &writer) }
          })
      }
    }
  }

  private static func note(_ title: String, rank: Int, _ writer: inout TypedstreamWriter) {
    writer.object("Note#2", "Item#1") { writer in
      writer.group("@") { $0.string(title) }
      writer.group("i", rank)
      for _ in 0..<rank {
        writer.group("@") { $0.object("Tag#0") { $0.group("*") { $0.cString("t") } } }
      }
      writer.group("cf") { writer in
        writer.raw(1)
        writer.float(0.5)
      }
      writer.group("{_NSPoint=ff}") { $0.integers(1, 2) }
    }
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(notes("a", "b"), to: "in/old")
    try folder.add("in/new") { archive in
      archive.instance(of: "Note", ["v1": archive.string("c")])
    }
    return folder
  }

  @Test("are converted beside keyed archives, and verified")
  func converts() throws {
    let folder = try Self.folder()
    let result = try folder.convert("in", "-o", "out.db", "--verify", "--provenance")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("Converted 2 archives in "))
    #expect(result.output.contains("Verification passed"))
    let store = try folder.store()
    try store.expectSound()
    try store.expect(
      "SELECT path, format, archiver, version FROM _archive ORDER BY path",
      ["in/new|binary|NSKeyedArchiver|100000", "in/old|typedstream|NSArchiver|4"])
    try store.expect(
      "SELECT v1, v3_1, v3_2, v4 FROM Note ORDER BY v1",
      ["a|1|0.5|{1.0, 2.0}", "b|1|0.5|{1.0, 2.0}", "c|NULL|NULL|NULL"])
    try store.expect("SELECT v1, count(*) FROM Tag GROUP BY v1", ["t|3"])
    try store.expect("SELECT hierarchy FROM _class WHERE name = 'Tag'", ["Tag NSObject"])
    let verified = try folder.convert("verify", "out.db", "in")
    #expect(verified.status == 0, "\(verified)")
  }

  @Test("are told apart in every form of a run")
  func runs() throws {
    let folder = try Self.folder()
    for arguments in [
      ["in", "--store-per-archive", "out"], ["in", "-o", "dry.db", "--dry-run"],
      ["in/old", "-o", "one.db", "--open-nested", "--salvage"],
      ["infer", "in", "-o", "draft.yaml"],
      ["in", "-o", "drafted.db", "--mapping", "draft.yaml", "--verify"],
    ] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.status == 0, "\(arguments): \(result)")
    }
    try folder.write(Self.notes("d"), to: "in/later")
    #expect(try folder.convert("in/old", "in/new", "-o", "out.db", "-q").status == 0)
    let appended = try folder.convert("in", "-o", "out.db", "--if-exists", "append", "--verify")
    #expect(appended.status == 0, "\(appended)")
    try folder.store().expect("SELECT v1 FROM Note ORDER BY v1", ["a", "b", "c", "d"])
  }

  @Test("fill the entities of a model, by a mapping that names their positions")
  func mapping() throws {
    let folder = try Self.folder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note" representedClassName="Note">
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="isOpen" optional="YES" attributeType="Boolean"/></entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    try folder.write(
      """
      entities:
        Note:
          attributes:
            title: {from: v1}
            isOpen: {from: v3_1}
          unread: [v2, v3_2, v4]
      """, to: "m.yaml")
    let result = try folder.convert(
      "in/old", "--model", "M.xcdatamodel", "--mapping", "m.yaml", "--layout", "coredata", "-o",
      "out.sqlite", "--verify")
    #expect(result.status == 0, "\(result)")
    try StoreQuery(folder.file(named: "out.sqlite")).expect(
      "SELECT ZTITLE, ZISOPEN FROM ZNOTE ORDER BY ZTITLE", ["a|1", "b|1"])
  }

  @Test("are inspected by their positions")
  func inspects() throws {
    let folder = try Self.folder()
    let result = try folder.convert("inspect", "in/old", "--tree")
    #expect(
      result.output == """
        in/old: typedstream, NSArchiver 4, 12 objects, 11 reachable, 7 references

        class    objects  keys
        Tag            3  v1
        Note           2  v1 v2 v3_1 v3_2 v4
        NSArray        1  NS.objects

        root: array of 2
        ├─ 0: Note #2
        │  ├─ v1: "a"
        │  ├─ v2: array of 1
        │  │  └─ 0: Tag #4
        │  │     └─ v1: "t"
        │  ├─ v3_1: true
        │  ├─ v3_2: 0.5
        │  └─ v4: "{1.0, 2.0}"
        └─ 1: Note #5
           ├─ v1: "b"
           ├─ v2: array of 2
           │  ├─ 0: Tag #7
           │  │  └─ v1: "t"
           │  └─ 1: Tag #8
           │     └─ v1: "t"
           ├─ v3_1: true
           ├─ v3_2: 0.5
           └─ v4: "{1.0, 2.0}"

        """)
    #expect(result.status == 0)
  }

  @Test("are opened in other archives with --open-nested, as are those in them")
  func nested() throws {
    let folder = try TemporaryFolder()
    let leaf = KeyedArchiveBuilder.archive { $0.instance(of: "Leaf", ["name": "a"]) }.binary()
    let stream = TypedstreamWriter.stream { $0.group("@") { $0.data(Array(leaf)) } }
    try folder.write(
      BinaryPropertyListWriter().data(for: ["state": .data(Data(stream))]), to: "settings.plist")
    let result = try folder.convert(
      "settings.plist", "-o", "out.db", "--open-nested", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT name FROM Leaf", ["a"])
    try folder.store().expect(
      "SELECT format, archiver, key FROM _archive ORDER BY id",
      [
        "binary|property list|NULL", "typedstream|NSArchiver|state", "binary|NSKeyedArchiver|root",
      ])
  }

  @Test("that are damaged are rejected, and the others converted")
  func damaged() throws {
    let folder = try Self.folder()
    try folder.write(Self.notes("a").dropLast(), to: "in/cut")
    let result = try folder.convert("in", "-o", "out.db", "--report", "r.json")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "in/cut: the typedstream is damaged: it ends before a value does (byte 136)\n")
    let report = try folder.text(of: "r.json")
    #expect(report.contains(#""format" : "typedstream""#))
    try folder.store().expect("SELECT count(*) FROM Note", ["3"])
  }

  @Test("with objects of another form than their class has are converted, which is told")
  func misfits() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      TypedstreamWriter.stream { writer in
        writer.group("@") { $0.collection("NSArray", 3, of: [{ $0.string("a") }]) }
      }, to: "old")
    let result = try folder.convert("old", "-o", "out.db", "--verify")
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "Kept as rows: objects of NSArray with unexpected keys or values"), "\(result)")
    try folder.store().expect("SELECT v1, v2 FROM NSArray", ["3|a"])
  }
}

@Suite(
  "The corpus of typedstreams, converted",
  .enabled(if: Repository.corpus != nil, "there is no ../shared/corpus beside the repository"))
struct TypedstreamConversionTests {
  @Test(
    "is converted and verified, each file",
    arguments: Thoroughness.some(Repository.corpusFiles(in: "typedstream"), oneIn: 3))
  func each(path: String) throws {
    let folder = try TemporaryFolder()
    let result = try folder.convert(path, "-o", "out.db", "--verify")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("Verification passed"))
    try folder.store().expectSound()
  }

  @Test("is converted and verified as a whole")
  func all() throws {
    let corpus = try #require(Repository.corpus)
    let folder = try TemporaryFolder()
    let result = try folder.convert(
      "\(corpus)/typedstream", "-o", "out.db", "--verify", "--provenance", "--open-nested")
    #expect(result.status == 0, "\(result)")
    try folder.store().expectSound()
    try folder.store().expect(
      "SELECT count(DISTINCT path) FROM _archive WHERE format = 'typedstream' AND parent IS NULL",
      ["\(Repository.corpusFiles(in: "typedstream").count)"])
  }
}
