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
                description: Objects of the archived class MTFolder.
                label_column: title
                sort: folders_position

        """), "\(text)")
    #expect(text.contains("      _archive:\n        hidden: true\n"))
    #expect(text.hasSuffix("title: samples.sqlite\n"))
  }

  @Test(
    "has a query for each relationship to several rows, which SQLite runs for all owners and for one"
  )
  func queries() throws {
    let folder = try samples("--datasette", "metadata.json")
    let queries = try object(folder, "databases", "samples", "queries")
    #expect(
      queries.keys.sorted() == [
        "folders_of_MTFolder", "folders_of_MTLibrary", "notes_of_MTFolder",
      ])
    let query = try object(folder, "databases", "samples", "queries", "notes_of_MTFolder")
    #expect(query["title"] as? String == "notes of MTFolder")
    let sql = try #require(query["sql"] as? String)
    #expect(
      sql == """
        SELECT owner.title AS "MTFolder (owner)", member.*
        FROM MTFolder AS owner
        JOIN MTNote AS member ON member.container_id = owner.id
        WHERE (:owner_id = '' OR owner.id = :owner_id)
        ORDER BY owner.id, member.notes_position, member.id
        """)
    for case let entry as [String: Any] in queries.values {
      let sql = try #require(entry["sql"] as? String)
      for owner in ["''", "'2'"] {
        _ = try folder.store("samples.sqlite").lines(sql.replacing(":owner_id", with: owner))
      }
    }
    let titles = try folder.store("samples.sqlite").lines(
      "SELECT title FROM (\(sql.replacing(":owner_id", with: "'2'")))")
    #expect(titles == ["Bread", "Deposit", "House", "Grain"])
  }

  @Test("names the index of a view's rows, and calls records and documents what they are")
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.add("one") { archive in
      archive.array([
        archive.instance(of: "Cat", ["name": "Tom"]), archive.instance(of: "Dog", ["name": "Rex"]),
        archive.dictionary(["pid": .integer(1), "name": "init"]),
        archive.dictionary(["pid": .integer(2), "name": "sh"]),
      ])
    }
    try folder.write(
      """
      records: [$top.root]
      entities: {Pet: {abstract: true}, Cat: {parent: Pet}, Dog: {parent: Pet}}
      """, to: "m.yaml")
    let result = try folder.convert(
      "one", "-o", "out.db", "--mapping", "m.yaml", "--fts", "--datasette", "metadata.json", "-q")
    #expect(result.errors == "")
    let cat = try object(folder, "databases", "out", "tables", "Cat")
    #expect(cat["fts_table"] as? String == "Pet_fts")
    #expect(cat["fts_pk"] as? String == "id")
    let record = try object(folder, "databases", "out", "tables", "root")
    #expect(record["description"] as? String == "A row for each dictionary at $top.root.")
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
    #expect(samples["description"] as? String == "Converted from 3 archives.")
    let note = try object(folder, "databases", "samples", "tables", "MTNote")
    #expect(note["description"] as? String == "Objects of the archived class MTNote.")
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
