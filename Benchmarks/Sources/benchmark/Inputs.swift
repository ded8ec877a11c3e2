import Foundation

/// The files that are measured with, made where they are missing.
struct Inputs {
  let tools: Tools
  let folder: String

  func notes(_ count: Int) throws -> String {
    try made("notes-\(count).archive") { [String(count), $0] }
  }

  func xmlNotes(_ count: Int) throws -> String {
    try made("notes-\(count).xml") { ["--xml", String(count), $0] }
  }

  func directory(_ count: Int) throws -> String {
    try made("archives-\(count)") { ["--directory", String(count), $0] }
  }

  /// The rows of an input, ready to be inserted.
  func rows(of input: String) -> String { input + ".rows" }

  /// The mapping that `convert infer` drafts from an input.
  func draft(of input: String) throws -> String {
    let path = input + ".yaml"
    if !FileManager.default.fileExists(atPath: path) {
      _ = try Program(path: tools.convert, arguments: ["infer", input, "-o", path]).run()
    }
    return path
  }

  private func made(_ name: String, _ arguments: (String) -> [String]) throws -> String {
    let path = "\(folder)/\(name)"
    // The rows are written last.
    if !FileManager.default.fileExists(atPath: rows(of: path)) {
      _ = try tools.tool("make-notes", arguments(path)).run()
    }
    return path
  }
}

/// Where the programs are.
struct Tools {
  /// The converter.
  var convert: String
  /// The folder of this package.
  var package: String
  /// The folder in which its programs were built.
  var programs: String

  func tool(_ name: String, _ arguments: [String]) -> Program {
    Program(path: "\(programs)/\(name)", arguments: arguments)
  }

  var schema: String { "\(package)/schema.sql" }
  var model: String { "\(package)/Notes.xcdatamodeld" }
  var mapping: String { "\(package)/mapping.yaml" }

  /// The program in Python; nil where there is no Python.
  func plistlib(_ arguments: [String]) -> Program? {
    let finder = Program(path: "python3", arguments: ["-c", "import plistlib, sqlite3"])
    guard (try? finder.run()) != nil else { return nil }
    return Program(
      path: "python3", arguments: ["\(package)/Peers/plistlib_converter.py"] + arguments)
  }
}
