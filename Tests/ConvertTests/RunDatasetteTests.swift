import Foundation
import TestSupport
import Testing

@Suite("The metadata for Datasette")
struct RunDatasetteTests {
  /// A store of the samples with its metadata.
  private func samples(_ options: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.archive")
    let result = try Program.run(
      ["MentalCase.archive", "QuickRecord.archive", "-o", "samples.sqlite", "-q"] + options,
      in: folder.path)
    #expect(result.errors == "")
    #expect(result.status == 0)
    return folder
  }

  private func object(_ folder: TemporaryFolder, _ path: String...) throws -> [String: Any] {
    let whole = try JSONSerialization.jsonObject(with: folder.contents(of: "metadata.json"))
    return try path.reduce(try #require(whole as? [String: Any])) { found, key in
      try #require(found[key] as? [String: Any], "\(key)")
    }
  }

  @Test("describes a table, its columns, its order and its facets")
  func table() throws {
    let folder = try samples("--datasette", "metadata.yml")
    let text = try folder.text(of: "metadata.yml")
    #expect(
      text.contains(
        """
              MTFolder:
                columns:
                  folders_position: position in MTFolder.folders
                  modelContext: without a value in any object
                  parent_id: 'parent: MTFolder, inverse of folders'
                description_html: 'Relationships to several rows: <a href="/samples?sql=SELECT%20
        """), "\(text)")
    #expect(
      text.contains("\n        label_column: title\n        sort: folders_position\n"), "\(text)")
    #expect(text.contains("      _archive:\n        hidden: true\n"))
    #expect(text.hasSuffix("title: samples.sqlite\n"))
  }

  /// The texts and addresses of the links in a description.
  private func links(_ description: Any?) throws -> [(text: String, address: String)] {
    let html = try #require(description as? String)
    return html.matches(of: /<a href="([^"]*)">([^<]*)<\/a>/).map {
      (text: String($0.2), address: String($0.1).replacing("&amp;", with: "&"))
    }
  }

  /// The SQL of a link.
  private func sql(_ address: String) throws -> String {
    let items = try #require(URLComponents(string: address)?.queryItems)
    return try #require(items.first { $0.name == "sql" }?.value)
  }

  @Test(
    "links a table to each relationship to several rows, which SQLite runs for all owners and for one"
  )
  func queries() throws {
    let folder = try samples("--datasette", "metadata.json")
    #expect(
      try object(folder, "databases", "samples").keys.sorted() == ["description_html", "tables"])
    let library = try links(
      object(folder, "databases", "samples", "tables", "MTLibrary")["description_html"])
    #expect(library.map(\.text) == ["folders"])
    let links = try links(
      object(folder, "databases", "samples", "tables", "MTFolder")["description_html"])
    #expect(links.map(\.text) == ["folders", "notes"])
    for link in links + library {
      #expect(link.address.hasPrefix("/samples?sql=SELECT%20owner%2Etitle%20AS%20"))
      #expect(link.address.hasSuffix("&_hide_sql=1"))
      for owner in ["''", "'2'"] {
        _ = try folder.store("samples.sqlite").lines(
          sql(link.address).replacing(":owner_id", with: owner))
      }
    }
    let sql = try sql(links[1].address)
    #expect(
      sql == """
        SELECT owner.title AS "MTFolder (owner)", member.*
        FROM MTFolder AS owner
        JOIN MTNote AS member ON member.container_id = owner.id
        WHERE (:owner_id = '' OR owner.id = :owner_id)
        ORDER BY owner.id, member.notes_position, member.id
        """)
    let titles = try folder.store("samples.sqlite").lines(
      "SELECT title FROM (\(sql.replacing(":owner_id", with: "'2'")))")
    #expect(titles == ["Bread", "Deposit", "House", "Grain"])
  }

  @Test("links to the search of all texts, and calls records and documents what they are")
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.add("one") { archive in
      archive.array([
        archive.instance(of: "Cat", ["name": "Tom"]),
        archive.dictionary(["pid": .integer(1), "name": "init"]),
        archive.dictionary(["pid": .integer(2), "name": "sh"]),
      ])
    }
    try folder.write("records: [$top.root]", to: "m.yaml")
    let result = try folder.convert(
      "one", "-o", "a .b.db", "--mapping", "m.yaml", "--fts", "--datasette", "metadata.json", "-q")
    #expect(result.errors == "")
    #expect(
      try object(folder, "databases", "a .b")["description_html"] as? String
        == "Converted from <a href=\"/a~20~2Eb/_archive\">1 archive</a>. "
        + "<a href=\"/a~20~2Eb/_search\">Search all texts</a>.")
    let tables = try object(folder, "databases", "a .b", "tables")
    #expect(tables["_search_data"] != nil)
    let search = try object(folder, "databases", "a .b", "tables", "_search")
    #expect(search["facets"] as? [String] == ["table_name"])
    #expect(search["hidden"] == nil)
    let record = try object(folder, "databases", "a .b", "tables", "root")
    #expect(record["description_html"] as? String == "A row for each dictionary at $top.root.")
    #expect(try object(folder, "databases", "a .b", "tables", "Cat")["description_html"] == nil)
  }

  @Test("escapes names from archives")
  func escaping() throws {
    let folder = try TemporaryFolder()
    let className = "<b>&\"N's"
    try folder.add("one") { archive in
      archive.array([
        archive.instance(
          of: className,
          [
            "a<b": archive.array([
              archive.instance(of: "M", ["x": "y"]), archive.instance(of: "M", ["x": "z"]),
            ])
          ])
      ])
    }
    #expect(
      try folder.convert("one", "-o", "out.db", "--datasette", "metadata.json", "-q").status == 0)
    let tables = try object(folder, "databases", "out", "tables")
    let descriptions = tables.values.compactMap {
      ($0 as? [String: Any])?["description_html"] as? String
    }
    #expect(
      descriptions.map { $0.replacing(/sql=[A-Za-z0-9_%]*&amp;/, with: "sql=…&amp;") }.sorted() == [
        "A row for each element of &lt;b&gt;&amp;&quot;N&#39;s.a&lt;b.",
        "Relationships to several rows: "
          + "<a href=\"/out?sql=…&amp;_hide_sql=1\">a&lt;b</a>.",
      ])
  }

  @Test("can be made later, of a store that several runs made")
  func later() throws {
    let folder = try samples("--datasette", "metadata.json")
    let first = try folder.text(of: "metadata.json")
    #expect(
      try folder.convert("report", "samples.sqlite", "-q", "--datasette", "metadata.json").status
        == 0)
    #expect(try folder.text(of: "metadata.json") == first)
    let more = try TemporaryFolder(samples: "Expenses.archive")
    #expect(
      try folder.convert(
        "\(more.path)/Expenses.archive", "-o", "samples.sqlite", "--if-exists", "append", "-q",
        "--datasette", "metadata.json"
      ).status == 0)
    let samples = try object(folder, "databases", "samples")
    #expect(
      samples["description_html"] as? String
        == "Converted from <a href=\"/samples/_archive\">3 archives</a>.")
  }

  @Test(
    "is refused where it cannot be written",
    arguments: [
      (["--datasette", "m.txt"], 64 as Int32, "must end in .json, .yml or .yaml."),
      (["--datasette", "m.json", "--layout", "coredata"], 64, "cannot be used with --layout"),
      (["--datasette", "m.json", "--dry-run"], 64, "cannot be used with --dry-run."),
      (["--datasette", "m.json", "--report", "m.json"], 64, "name the same file, 'm.json'."),
      (["--datasette", "nowhere/m.json"], 2, "nowhere/m.json: the metadata cannot be written: "),
      (["--datasette", "QuickRecord.archive.json"], 2, "is an input and must not be overwritten"),
    ])
  func refused(options: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.write(folder.contents(of: "QuickRecord.archive"), to: "QuickRecord.archive.json")
    let result = try Program.run(
      ["QuickRecord.archive.json", "-o", "out.db"] + options, in: folder.path)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.status == status)
  }

  @Test("never replaces the store, nor a report that is printed again")
  func keepsInput() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    #expect(
      try folder.convert("QuickRecord.archive", "-o", "out.yml", "-q", "--report", "r.json").status
        == 0)
    for file in ["out.yml", "r.json"] {
      let before = try folder.contents(of: file)
      let result = try folder.convert("report", file, "-q", "--datasette", "./\(file)")
      #expect(result.errors == "./\(file): is an input and must not be overwritten\n")
      #expect(result.status == 2)
      #expect(try folder.contents(of: file) == before)
    }
  }
}
