import ArchiveWriter
import Foundation
import TestSupport
import Testing

/// Values of Foundation's classes that are no plain values.
@Suite("Colours, attributed texts and their like, in a store")
struct FoundationColumnTests {
  /// Three notes: a plain text and an attributed one under the same key, colours, a range, a set.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.add("notes.archive") { archive in
      func color(_ white: String) -> PropertyListValue {
        archive.instance(
          of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("\(white)\0".utf8))])
      }
      let range = archive.instance(
        of: "NSValue",
        [
          "NS.special": 4, "NS.rangeval.location": archive.number(2),
          "NS.rangeval.length": archive.number(3),
        ])
      let red = color("0.5")
      let attributed = archive.instance(
        of: "NSMutableAttributedString",
        [
          "NSString": archive.string("Hello you"),
          "NSAttributes": archive.array([
            archive.dictionary(["Color": red]), archive.dictionary([:]),
          ]),
          "NSAttributeInfo": archive.add(.data(Data([5, 0, 4, 1]))),
        ])
      let notes = [
        archive.instance(
          of: "Note",
          [
            "body": archive.string("plain"), "color": red, "range": range,
            "colors": archive.array([red, color("1")]),
          ]),
        archive.instance(of: "Note", ["body": attributed, "color": color("0")]),
        archive.instance(of: "Note", ["body": .none, "color": .none]),
      ]
      return archive.array(notes)
    }
    return folder
  }

  private static func gray(_ number: String) -> String {
    #"{"class":"NSColor","colorSpace":3,"components":[\#(number)],"kind":"calibratedWhite"}"#
  }

  private static let rows = [
    #"plain|NULL|\#(gray("0.5"))|{"class":"NSValue","range":{"length":3,"location":2}}"#,
    #"Hello you|{"class":"NSMutableAttributedString","runs":[{"attributes":{"Color":\#(gray("0.5"))},"#
      + #""length":5,"location":0},{"attributes":{},"length":4,"location":5}]}|\#(gray("0"))|NULL"#,
    "NULL|NULL|NULL|NULL",
  ]
  private static let query = #"SELECT body, body_runs, color, "range" FROM Note ORDER BY id"#

  @Test("are JSON in a column; a text has its attributes in a column beside it")
  func columns() throws {
    let folder = try Self.folder()
    let result = try folder.convert("notes.archive", "-o", "out.db", "-v")
    #expect(result.status == 0)
    #expect(result.errors == "")
    let store = try folder.store()
    try store.expectSound()
    #expect(
      try store.lines("SELECT name || ' ' || type FROM pragma_table_info('Note')") == [
        "id INTEGER", "body TEXT", "color TEXT", "range TEXT", "body_runs TEXT",
      ])
    try store.expect(Self.query, Self.rows)
    try store.expect(
      "SELECT Note_id, position, json_extract(value, '$.components[0]') FROM Note_colors",
      ["1|0|0.5", "1|1|1"])
    try store.expect(
      "SELECT name FROM _class WHERE entity IS NOT NULL", "Note")
    #expect(
      result.output.contains(
        """
        body    attributedText           2    1
        color   json                     2    1
        range   json                     1    0
        colors  collection of json       2    0

        """))
  }

  @Test("are the same by the draft of a mapping, and by that of a model, row by row too")
  func drafts() throws {
    let folder = try Self.folder()
    #expect(
      try Program.run(
        ["infer", "notes.archive", "-o", "draft.yaml", "--model-output", "Draft.xcdatamodeld"],
        in: folder.path
      ).status == 0)
    let draft = try folder.text(of: "draft.yaml")
    for line in [
      "body: {type: attributedText}  # text, text with attributes or nil, in 3 of 3 objects",
      "color: {type: json}  # value of a Foundation class or nil, in 3 of 3 objects",
    ] {
      #expect(draft.contains(line))
    }
    for (name, options) in [
      ("mapping.db", ["--mapping", "draft.yaml"]),
      ("model.db", ["--mapping", "draft.yaml", "--model", "Draft.xcdatamodeld"]),
    ] {
      let result = try Program.run(["notes.archive", "-o", name] + options, in: folder.path)
      #expect(result.status == 0, "\(result)")
      let store = try folder.store(name)
      try store.expect(Self.query, Self.rows)
      #expect(
        try store.lines("SELECT name || ' ' || type FROM pragma_table_info('Note')") == [
          "id INTEGER", "body TEXT", "color TEXT", "range TEXT", "body_runs TEXT",
        ])
    }
  }

  @Test("can be the text, or JSON, where a mapping says so, and what is dropped is listed")
  func conversions() throws {
    let folder = try Self.folder()
    try folder.write(
      """
      entities:
        Note:
          complete: true
          attributes:
            body: {type: string}
            whole: {from: body, convert: json}
            colour: {from: color}
          unread: [range, colors]
      """, to: "mapping.yaml")
    let result = try folder.convert("notes.archive", "-o", "out.db", "--mapping", "mapping.yaml")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("Note.body: attributes of the text dropped: in notes.archive"))
    let store = try folder.store()
    try store.expect("SELECT body FROM Note", ["plain", "Hello you", "NULL"])
    try store.expect(
      "SELECT whole ->> '$.text', json_array_length(whole, '$.runs') FROM Note WHERE id = 2",
      ["Hello you|2"])
    try store.expect("SELECT colour ->> '$.kind' FROM Note WHERE id = 1", "calibratedWhite")
  }

  @Test("are rows where a mapping says something of their class")
  func claimed() throws {
    let folder = try Self.folder()
    try folder.write("entities: {Color: {from: NSColor}}", to: "mapping.yaml")
    let result = try folder.convert("notes.archive", "-o", "out.db", "--mapping", "mapping.yaml")
    #expect(result.status == 0, "\(result)")
    #expect(!result.output.contains("objects of NSColor"))
    try folder.store().expect("SELECT count(*) FROM Color", "3")
  }

  @Test("are rows with all their keys where they hold an object, and values otherwise")
  func nonconformingClasses() throws {
    let folder = try TemporaryFolder()
    try folder.add("mixed.archive") { archive in
      let own = archive.instance(of: "Own", ["name": archive.string("x")])
      func font(_ extra: PropertyListValue?) -> PropertyListValue {
        var pairs = [
          KeyValue("NSName", archive.string("Helvetica")), KeyValue("NSSize", 12.5),
          KeyValue("NSfFlags", 16),
        ]
        if let extra { pairs.append(KeyValue("NSExtra", extra)) }
        return archive.instance(of: "NSFont", pairs)
      }
      return archive.instance(of: "Page", ["a": font(nil), "b": font(own)])
    }
    let result = try folder.convert("mixed.archive", "-o", "out.db")
    #expect(result.status == 0)
    #expect(result.output.contains("Kept as rows: objects of NSFont with unexpected keys"))
    let store = try folder.store()
    try store.expect(
      "SELECT NSName, NSSize, NSfFlags, NSExtra_id FROM NSFont",
      ["Helvetica|12.5|16|1"])
    try store.expect(
      "SELECT a, b_id FROM Page",
      [#"{"class":"NSFont","flags":16,"name":"Helvetica","size":12.5}|1"#])
  }

  @Test("are kept when archives are added to a store, and differences are conflicts")
  func appending() throws {
    let folder = try TemporaryFolder()
    func add(_ name: String, _ number: String) throws {
      try folder.add(name) { archive in
        archive.instance(
          of: "Note",
          [
            "uid": archive.string("a"),
            "color": archive.instance(
              of: "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data("\(number)\0".utf8))]),
            "body": archive.instance(
              of: "NSAttributedString",
              [
                "NSString": archive.string(number), "NSAttributes": archive.dictionary(["n": 1]),
              ]),
          ])
      }
    }
    try add("one.archive", "0.5")
    try add("two.archive", "1")
    try folder.write("entities: {Note: {identity: uid}}", to: "mapping.yaml")
    for (name, conflicts) in [("one.archive", 0), ("two.archive", 2)] {
      let result = try folder.convert(
        name, "-o", "out.db", "--mapping", "mapping.yaml", "--if-exists",
        conflicts == 0 ? "fail" : "append")
      #expect(result.status == 0, "\(result)")
      #expect(result.output.contains("Conflicts:") == (conflicts > 0))
    }
    try folder.store().expect(
      "SELECT body, json_extract(body_runs, '$.runs[0].length'), color ->> '$.components[0]' FROM Note",
      ["1|1|1"])
  }
}
