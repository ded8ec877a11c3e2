import Foundation
import TestSupport
import Testing

@Suite("The page on opening a store")
struct OpenStoreTests {
  /// A script of the page: what the page says that it is, and that it prints.
  struct Script: CustomTestStringConvertible {
    var path: String
    var text = ""
    var output = ""
    var testDescription: String { path }
  }

  private static let page = "\(Repository.root)/Documentation/opening.md"

  /// The scripts of the page: a line with the path, the script, and what it prints.
  static func scripts() throws -> [Script] {
    let blocks = /`(Examples\/Open\/[\w.]+)`:\n\n```\w+\n((?s).*?)```\n\n```text\n((?s).*?)```/
    return try String(contentsOfFile: page, encoding: .utf8).matches(of: blocks).map {
      Script(path: String($0.1), text: String($0.2), output: String($0.3))
    }
  }

  @Test("shows the scripts of Examples/Open as they are")
  func showsScripts() throws {
    let folder = "\(Repository.root)/Examples/Open"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let scripts = try Self.scripts()
    #expect(
      scripts.map(\.path).sorted()
        == names.filter { $0 != "requirements.txt" }.map { "Examples/Open/\($0)" }.sorted())
    for script in scripts {
      let text = try String(contentsOfFile: "\(Repository.root)/\(script.path)", encoding: .utf8)
      #expect(script.text == text, "\(script.path)")
    }
  }

  /// Runs a script on the store of the page, and compares what it prints.
  private func run(_ name: String, code library: String? = nil) throws {
    let python = try #require(Python.path)
    let script = try #require(try Self.scripts().first { $0.path == "Examples/Open/\(name)" })
    let folder = try TemporaryFolder(
      samples: "MentalCase.archive", "QuickRecord.archive", "Expenses-Unusual.archive")
    let conversion = try folder.convert(
      "MentalCase.archive", "QuickRecord.archive", "Expenses-Unusual.archive", "-o",
      "samples.sqlite", "-q")
    #expect(conversion.status == 0)
    if let library {
      let code = try folder.convert("code", "samples.sqlite", "--for", library, "-o", "models")
      #expect(code.status == 0, "\(code)")
    }
    let isShell = name.hasSuffix(".sh")
    let result = try Python.run(
      isShell ? "/bin/sh" : python, ["\(Repository.root)/\(script.path)", "samples.sqlite"],
      in: folder)
    #expect(result.output == script.output, "\(result.errors)")
    #expect(result.status == 0)
    // Programs that only read leave the store as it is.
    #expect(
      try folder.convert(
        "verify", "samples.sqlite", "MentalCase.archive", "QuickRecord.archive",
        "Expenses-Unusual.archive", "-q"
      ).status == 0)
  }

  @Test(
    "shows what Python reads",
    .enabled(
      if: Python.runs("import sqlite3, sys; assert sys.version_info >= (3, 11)"),
      "there is no Python 3.11 here"))
  func sqlite3() throws { try run("with_sqlite3.py") }

  @Test(
    "shows what Datasette reads",
    .enabled(if: Python.runs("import datasette"), "there is no Datasette here"))
  func datasette() throws { try run("with_datasette.sh") }

  @Test(
    "shows what pandas reads", .enabled(if: Python.runs("import pandas"), "there is no pandas here")
  )
  func pandas() throws { try run("with_pandas.py") }

  @Test(
    "shows what DuckDB reads",
    .enabled(
      if: Python.runs(
        "import duckdb; duckdb.sql('SET autoinstall_known_extensions = false; LOAD sqlite')"),
      "there is no DuckDB with its SQLite extension here"))
  func duckDB() throws { try run("with_duckdb.py") }

  @Test(
    "shows what SQLAlchemy reads",
    .enabled(
      if: Python.runs("import sqlalchemy; assert sqlalchemy.__version__ >= '2'"),
      "there is no SQLAlchemy 2 here"))
  func sqlAlchemy() throws {
    try run("with_sqlalchemy.py", code: "sqlalchemy")
  }

  @Test("shows the program that reads the store with records for GRDB")
  func records() throws {
    let path = "Examples/GRDB/Sources/ReadStore/main.swift"
    let text = try String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8)
    #expect(
      try String(contentsOfFile: Self.page, encoding: .utf8)
        .contains("`\(path)`:\n\n```swift\n\(text)```\n"))
  }

  @Test(
    "shows what Django reads", .enabled(if: Python.runs("import django"), "there is no Django here")
  )
  func django() throws { try run("with_django.py") }
}
