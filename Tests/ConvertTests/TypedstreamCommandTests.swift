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
      ["in", "--store-per-archive", "out"], ["in", "-o", "again.db", "--resume", "--verify"],
      ["in", "-o", "paged.db", "--report", "r.html", "--fts"], ["in", "-o", "dry.db", "--dry-run"],
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

  /// A document of one object, with a list of points between a title and a rank.
  private static func document(_ title: String, points: Int) -> [UInt8] {
    TypedstreamWriter.stream { writer in
      writer.group("@") { writer in
        writer.object("Document#2") { writer in
          writer.group("@") { $0.string(title) }
          writer.group("i", points)
          for number in 0..<points {
            writer.group("@") { writer in
              writer.object("Dot#0") { $0.group("ff") { $0.integers(number, 2 * number) } }
            }
          }
          writer.group("i", 7)
        }
      }
    }
  }

  @Test("of one object each show their lists together, which later ones go by")
  func lists() throws {
    let folder = try TemporaryFolder()
    for count in [1, 3, 0] {
      try folder.write(Self.document("a", points: count), to: "in/\(count)")
    }
    #expect(try folder.convert("infer", "in", "-o", "m.yaml").status == 0)
    #expect(try folder.text(of: "m.yaml").contains("  \"Document#2\": {lists: [2]}\n"))
    let drafted = try folder.convert("in/1", "-o", "one.db", "--mapping", "m.yaml", "--verify")
    #expect(drafted.status == 0, "\(drafted)")
    let first = try folder.convert("in", "-o", "out.db", "--verify", "-q")
    #expect(first.status == 0, "\(first)")
    try folder.write(Self.document("c", points: 12), to: "long")
    #expect(try folder.convert("long", "-o", "alone.db", "-q").status == 0)
    let added = try folder.convert(
      "in/1", "-o", "alone.db", "--if-exists", "append", "--verify", "-q")
    #expect(added.status == 0, "\(added)")
    try folder.write(Self.document("b", points: 1), to: "later/1")
    let later = try folder.convert(
      "later", "-o", "out.db", "--if-exists", "append", "--verify", "-q")
    #expect(later.status == 0, "\(later)")
    let store = try folder.store()
    try store.expect(
      "SELECT v1, v3 FROM Document ORDER BY id", ["a|7", "a|7", "a|7", "b|7"])
    try store.expect("SELECT count(*) FROM Dot", ["5"])
    try store.expectSound()
    let verified = try folder.convert("verify", "out.db", "in", "later")
    #expect(verified.status == 0, "\(verified)")
  }

  @Test("are known among many archives of other forms with their extension", arguments: [100, 300])
  func sameExtension(count: Int) throws {
    let folder = try TemporaryFolder()
    for number in 0..<count {
      try folder.add("in/\(1000 + number).nib") { archive in
        archive.instance(of: "Note", ["number": .integer(Int64(number))])
      }
    }
    // Between those that are looked into before all are read.
    for (place, points) in [(1000, 1), (1001, 3)] {
      try folder.write(Self.document("a", points: points), to: "in/\(place)a.nib")
    }
    let result = try folder.convert("in", "-o", "out.db", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    let store = try folder.store()
    try store.expect("SELECT v1, v3 FROM Document", ["a|7", "a|7"])
    try store.expect("SELECT count(*) FROM Note", ["\(count)"])
  }

  @Test("with objects that are alike have no lists, whatever their numbers are")
  func alike() throws {
    let folder = try TemporaryFolder()
    for (name, first) in [("a", 0), ("b", 1)] {
      try folder.write(
        TypedstreamWriter.stream { writer in
          for tag in [first, first + 2] {
            writer.group("@") { writer in
              writer.object("Cell#1") { writer in
                for number in [tag, 10 + tag, 20 + tag, 30 + tag] { writer.group("i", number) }
              }
            }
          }
        }, to: "in/\(name)")
    }
    let result = try folder.convert("in", "-o", "out.db", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect(
      "SELECT v1, v2, v3, v4 FROM Cell ORDER BY v1",
      ["0|10|20|30", "1|11|21|31", "2|12|22|32", "3|13|23|33"])
    #expect(try folder.convert("infer", "in/a", "-o", "m.yaml").status == 0)
    #expect(try !folder.text(of: "m.yaml").contains("lists"))
  }

  @Test("have no lists where a mapping says so")
  func noLists() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document("a", points: 8), to: "one")
    try folder.write("classes: {Document: {lists: []}}", to: "m.yaml")
    let result = try folder.convert("one", "-o", "out.db", "--mapping", "m.yaml", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT v2, v11 FROM Document", ["8|7"])
  }

  @Test("tell the version of a class where all of them have several")
  func versions() throws {
    let folder = try TemporaryFolder()
    for version in [1, 2] {
      try folder.write(
        TypedstreamWriter.stream { writer in
          writer.group("@") { $0.object("Note#\(version)", "Item#1") { $0.group("i", 7) } }
        }, to: "in/\(version)")
    }
    #expect(try folder.convert("in", "-o", "out.db", "--verify", "-q").status == 0)
    try folder.store().expect("SELECT class_version, v1 FROM Note ORDER BY id", ["1|7", "2|7"])
    try folder.write(
      TypedstreamWriter.stream { writer in
        writer.group("@") { $0.object("Note#2") { $0.group("i", 8) } }
      }, to: "later")
    let added = try folder.convert("later", "-o", "out.db", "--if-exists", "append", "--verify")
    #expect(added.status == 0, "\(added)")
    try folder.store().expect("SELECT class_version, v1 FROM Note WHERE v1 = 8", ["2|8"])
  }

  @Test("of one object show a list by itself if it is long")
  func longList() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document("a", points: 8), to: "long")
    try folder.write(Self.document("a", points: 2), to: "short")
    for (name, columns) in [("long", "v1 v3"), ("short", "v1 v2 v5 v3_id v4_id")] {
      #expect(try folder.convert(name, "-o", "\(name).db", "-q", "--verify").status == 0)
      try StoreQuery(folder.file(named: "\(name).db")).expect(
        """
        SELECT group_concat(name, ' ') FROM pragma_table_info('Document')
          WHERE name LIKE 'v%'
        """, [columns])
    }
  }

  @Test("have the names that a mapping gives to positions")
  func names() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document("a", points: 2), to: "one")
    try folder.write(
      """
      classes:
        Document#2: {fields: [title, dots, rank], lists: [2]}
        Dot: {fields: [[x, null]]}
      entities:
        Dot: {attributes: {left: {from: x, type: integer}}}
      """, to: "m.yaml")
    let result = try folder.convert("one", "-o", "out.db", "--mapping", "m.yaml", "--verify")
    #expect(result.status == 0, "\(result)")
    let store = try folder.store()
    try store.expect("SELECT title, rank FROM Document", ["a|7"])
    try store.expect("SELECT left, v1_2 FROM Dot ORDER BY id", ["0|0.0", "1|2.0"])
    #expect(try folder.convert("verify", "out.db", "one").status == 0)
    let checked = try folder.convert("check", "m.yaml", "one")
    #expect(checked.status == 0, "\(checked)")
    try folder.write(
      "classes: {Document#1: {fields: [title]}, Dot: {fields: [place]}}", to: "other.yaml")
    let other = try folder.convert("one", "-o", "other.db", "--mapping", "other.yaml", "--verify")
    #expect(other.status == 0, "\(other)")
    try StoreQuery(folder.file(named: "other.db")).expect(
      "SELECT v1, place_2 FROM Document, Dot", ["a|0.0", "a|2.0"])
    try folder.write("classes: {Documnt#2: {fields: [title]}}", to: "misspelt.yaml")
    #expect(
      try folder.convert("check", "misspelt.yaml", "one").errorLines
        == ["misspelt.yaml:1:11: no archive has a class 'Documnt' (did you mean 'Document'?)"])
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

        class   position  objects  what stands there
        Tag#0   v1              3  string
        Note#2  v1              2  string
                v2              2  array
                v3_1            2  bool
                v3_2            2  real 0.5
                v4              2  string

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
    let json = try folder.convert("inspect", "in/old", "--json")
    for part in [#""version" : 2"#, #""least" : 0.5"#, #""greatest" : 0.5"#] {
      #expect(json.output.contains(part))
    }
  }

  @Test("of an old version are read, and have a format of their own")
  func oldVersion() throws {
    let folder = try TemporaryFolder()
    var writer = TypedstreamWriter(version: 3, isBigEndian: true, system: 82)
    writer.group("@") { $0.object("Note#1") { $0.group("i", 5) } }
    try folder.write(writer.bytes, to: "old")
    let result = try folder.convert("old", "-o", "out.db", "--verify")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT format, version FROM _archive", ["typedstream-3|3"])
    try folder.store().expect("SELECT v1 FROM Note", ["5"])
    #expect(try folder.convert("export", "out.db", "-o", "new", "--check").status == 0)
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
